import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table messages add column bulk_run_id bigint`,

  `create table bulk_runs (
     account_id bigint not null,
     id bigint generated always as identity,
     project_id bigint not null,
     name text not null,
     message text not null,
     delay_ms int not null,
     status text not null,
     waiting_for text,
     waiting_until timestamptz,
     columns jsonb not null,
     upload_number int not null default 0,
     is_uploading boolean not null default false,
     stored_bytes bigint not null default 0,
     fed_until bigint not null default 0,
     last_fed_at timestamptz,
     total_count int not null default 0,
     queued_count int not null default 0,
     sent_count int not null default 0,
     failed_count int not null default 0,
     skipped_count int not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) with (fillfactor = 50)`,
  `create index bulk_runs_under_way on bulk_runs (account_id, id) where status = 'running'`,
  `create index bulk_runs_drafts on bulk_runs (created_at) where status = 'draft'`,
  // No foreign key: it would be checked row by row. The trigger below deletes them with theirs.
  `create table bulk_run_rows (
     account_id bigint not null,
     bulk_run_id bigint not null,
     row_number bigint not null,
     phone text collate "C" not null,
     country text,
     fields jsonb not null,
     status text not null,
     message_id bigint,
     reason text,
     changed_at timestamptz,
     primary key (account_id, bulk_run_id, row_number)
   ) with (fillfactor = 70)`,
  // Rows that wait are found by the key: all beyond "fed_until".
  `create index bulk_run_rows_by_status on bulk_run_rows (account_id, bulk_run_id, status, row_number)
     where status <> 'waiting'`,
  `create index bulk_run_rows_by_message on bulk_run_rows (account_id, bulk_run_id, message_id)
     where message_id is not null`,
  `create index bulk_run_rows_changed on bulk_run_rows (account_id, bulk_run_id, changed_at, row_number)
     where changed_at is not null`,
  `create table bulk_run_tallies (
     account_id bigint not null,
     bulk_run_id bigint not null,
     queued int not null,
     sent int not null,
     failed int not null,
     skipped int not null
   )`,
  `create index bulk_run_tallies_of_run on bulk_run_tallies (account_id, bulk_run_id)`,
  `create function delete_bulk_run_rows() returns trigger language plpgsql as $$
   begin
     delete from bulk_run_rows r using gone
      where r.account_id = gone.account_id and r.bulk_run_id = gone.id;
     delete from bulk_run_tallies t using gone where t.account_id = gone.account_id and t.bulk_run_id = gone.id;
     return null;
   end $$`,
  `create trigger delete_rows after delete on bulk_runs referencing old table as gone
     for each statement execute function delete_bulk_run_rows()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
