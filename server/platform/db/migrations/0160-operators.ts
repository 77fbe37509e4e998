import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A process of the release before knows no suspension: it goes on sending until it is replaced.
  `alter table accounts
     add column suspended_at timestamptz,
     add column suspension_reason text`,

  // The record outlives the account that it is about.
  `create table operator_acts (
     id bigint generated always as identity primary key,
     at timestamptz not null,
     operator text not null,
     action text not null,
     account_id bigint,
     target text not null,
     details jsonb not null
   )`,
  'create index operator_acts_of_account on operator_acts (account_id, id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
