import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const columns = 'url, secret_sealed, old_secret_sealed, old_secret_until, failing_since, disabled_at, disabled_reason';

const ofProject = (row: string) =>
  [
    'webhook_url',
    'webhook_secret_sealed',
    'old_webhook_secret_sealed',
    'old_webhook_secret_until',
    'webhook_failing_since',
    'webhook_disabled_at',
    'webhook_disabled_reason',
  ]
    .map((column) => `${row}.${column}`)
    .join(', ');

const statements = [
  `alter table projects
     add column old_webhook_secret_sealed bytea,
     add column old_webhook_secret_until timestamptz`,

  // A record names its endpoint by the queue, so that those of before, and of older processes, belong to the first one.
  `create table webhook_endpoints (
     account_id bigint not null,
     project_id bigint not null,
     id bigint generated always as identity,
     is_first boolean not null default false,
     queue_id bigint not null generated always as (case when is_first then -project_id else id end) stored,
     url text,
     events text[],
     description text,
     secret_sealed bytea not null,
     old_secret_sealed bytea,
     old_secret_until timestamptz,
     paused_at timestamptz,
     failing_since timestamptz,
     disabled_at timestamptz,
     disabled_reason text,
     created_at timestamptz not null,
     primary key (account_id, id),
     unique (account_id, queue_id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `create index on webhook_endpoints (account_id, project_id)`,

  // The project's own URL and secret are its first endpoint's, whoever writes them.
  `create function mirror_first_endpoint() returns trigger language plpgsql as $$
   begin
     insert into webhook_endpoints (account_id, project_id, is_first, created_at, ${columns})
     values (new.account_id, new.id, true, new.created_at, ${ofProject('new')})
     on conflict (account_id, queue_id) do update
        set (${columns}) = row(${columns
          .split(', ')
          .map((column) => `excluded.${column}`)
          .join(', ')});
     return null;
   end $$`,
  `create trigger first_endpoint_mirrored
     after insert or update of ${ofProject('x').replaceAll('x.', '')} on projects
     for each row execute function mirror_first_endpoint()`,
  `insert into webhook_endpoints (account_id, project_id, is_first, created_at, ${columns})
   select account_id, id, true, created_at, ${ofProject('projects')} from projects`,

  // Counts are of a project; room on the page keeps its updates off the index.
  `create table webhook_sequences (
     account_id bigint not null,
     project_id bigint not null,
     last_sequence bigint not null,
     primary key (account_id, project_id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) with (fillfactor = 50)`,

  `alter table webhook_records
     add column endpoint_id bigint,
     add column sequence bigint,
     add column is_event boolean not null default false,
     add column history jsonb`,
  `alter table webhook_notices add column url text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
