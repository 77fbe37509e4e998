import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const counts = ['sent', 'delivered', 'read', 'replied', 'opted_out']
  .map((column) => `${column} int not null default 0`)
  .join(', ');

const statements = [
  `create table outcome_tallies (
     account_id bigint not null,
     source text not null,
     source_id bigint not null,
     hour timestamptz not null,
     ${counts}
   )`,
  `create index outcome_tallies_of_source on outcome_tallies (account_id, source, source_id)`,
  `create table outcome_totals (
     account_id bigint not null,
     source text not null,
     source_id bigint not null,
     ${counts},
     primary key (account_id, source, source_id)
   ) with (fillfactor = 70)`,
  `create table outcome_hours (
     account_id bigint not null,
     source text not null,
     source_id bigint not null,
     hour timestamptz not null,
     ${counts},
     primary key (account_id, source, source_id, hour)
   ) with (fillfactor = 70)`,
  `create index outcome_hours_by_time on outcome_hours (hour)`,
  `create table last_writes (
     account_id bigint not null,
     phone_key text not null collate "C",
     source text not null,
     source_id bigint not null,
     message_id bigint not null,
     written_at timestamptz not null,
     replied_at timestamptz,
     opted_out_at timestamptz,
     primary key (account_id, phone_key)
   )`,
  `create index last_writes_by_time on last_writes (written_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
