import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // No key leads to accounts: what was done in one is not lost by deleting a row.
  `create table audit_events (
     account_id bigint not null,
     id bigint generated always as identity,
     created_at timestamptz not null,
     actor_type text not null,
     actor_id bigint,
     actor_name text not null,
     action text not null,
     target_type text not null,
     target_id bigint,
     target_name text,
     changes jsonb not null,
     address text,
     program text,
     request_id text,
     primary key (account_id, id)
   )`,
  'create index audit_events_of_target on audit_events (account_id, target_type, target_id, id)',
  'create index audit_events_of_account on audit_events (account_id, created_at)',
  'create index audit_events_by_age on audit_events using brin (created_at)',

  // The application's role may not delete: rows go through this function alone, which knows no other age than this.
  `create function remove_old_audit_events(most int) returns int
   language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     removed int;
   begin
     delete from audit_events where ctid = any (array(
       select ctid from audit_events where created_at < now() - interval '400 days' limit most));
     get diagnostics removed = row_count;
     return removed;
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
