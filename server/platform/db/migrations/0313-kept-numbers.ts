import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Numbers whose phone was deleted: how they stood, for the day on which they are added again, also by another network.
  `create table kept_numbers (
     account_id bigint not null references accounts on delete cascade,
     number text not null,
     kept_at timestamptz not null,
     health jsonb,
     primary key (account_id, number)
   )`,

  // The people who had written to them, or whom they may not write to first.
  `create table kept_contacts (
     account_id bigint not null,
     number text not null,
     phone_key text not null,
     wrote_at timestamptz,
     refused_at timestamptz,
     primary key (account_id, number, phone_key),
     foreign key (account_id, number) references kept_numbers on delete cascade
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
