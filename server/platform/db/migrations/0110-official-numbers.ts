import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The official API of a number: what an owner entered, encrypted, and where Meta calls back.
  `create table cloud_numbers (
     account_id bigint not null,
     phone_id bigint primary key,
     phone_number_id text not null,
     business_account_id text not null,
     sealed bytea not null,
     callback_hash bytea not null unique,
     callback_sealed bytea not null,
     verified_at timestamptz,
     seen_at timestamptz,
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
  `create index cloud_numbers_by_number on cloud_numbers (account_id, phone_number_id)`,

  // Webhooks of Meta as they came, until they are worked off. rest: what waits for its message.
  `create table cloud_webhooks (
     id bigint generated always as identity primary key,
     account_id bigint not null,
     phone_id bigint not null,
     body bytea not null,
     received_at timestamptz not null,
     due_at timestamptz not null,
     attempts int not null default 0,
     rest jsonb,
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
  `create index cloud_webhooks_due on cloud_webhooks (due_at, id)`,

  // Notices from Meta about a number, its account or a template.
  `create table cloud_notices (
     account_id bigint not null,
     phone_id bigint not null,
     id bigint generated always as identity,
     field text not null,
     value jsonb not null,
     at timestamptz not null,
     primary key (account_id, phone_id, id),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
