import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const counts = ['sent', 'delivered', 'read', 'replied'].map((column) => `${column} int not null default 0`).join(', ');

const ofSource = 'account_id bigint not null, source text not null, source_id bigint not null';

const statements = [
  // Reports of short runs are drawn by the minute; a process of the release before leaves it null.
  'alter table outcome_tallies add column minute timestamptz',
  `create table outcome_minutes (
     ${ofSource},
     minute timestamptz not null,
     ${counts},
     primary key (account_id, source, source_id, minute)
   ) with (fillfactor = 70)`,
  'create index outcome_minutes_by_time on outcome_minutes (minute)',
  // Pauses and waits of a campaign, a flow or a bulk run, which its report marks.
  `create table outcome_holds (
     ${ofSource},
     kind text not null,
     began_at timestamptz not null,
     ended_at timestamptz
   )`,
  'create index outcome_holds_of_source on outcome_holds (account_id, source, source_id, began_at)',
  'create index outcome_holds_by_time on outcome_holds (began_at)',
  // The other two ledgers have it from the start.
  'alter table flow_deliveries add column changed_at timestamptz',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
