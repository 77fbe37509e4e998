import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The watch whose candidates a flow goes by; null: it goes by its search.
  `alter table flows add column followed_as bigint`,
  // People who may have come to match a flow: only appended to, and deleted with what they lead to. No foreign key: it
  // would wait for the flow's lock.
  `create table flow_candidates (
     account_id bigint not null,
     flow_id bigint not null,
     id bigint generated always as identity,
     profile_id bigint not null,
     at timestamptz not null,
     primary key (account_id, flow_id, id)
   ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
