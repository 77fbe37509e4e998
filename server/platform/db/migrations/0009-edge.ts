import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table projects add column real_phone_since timestamptz`,
  `update projects p set real_phone_since = x.since
     from (select account_id, project_id, min(coalesce(connected_at, status_changed_at)) as since
             from phones where connector <> 'sandbox' and was_connected group by 1, 2) as x
    where p.account_id = x.account_id and p.id = x.project_id`,

  // The answers to requests with an Idempotency-Key, kept for a day; without a status the work is under way.
  `create table idempotent_requests (
     account_id bigint not null references accounts on delete cascade,
     key text not null collate "C",
     fingerprint bytea not null,
     status int,
     answer_sealed bytea,
     created_at timestamptz not null,
     primary key (account_id, key)
   )`,
  `create index on idempotent_requests (created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
