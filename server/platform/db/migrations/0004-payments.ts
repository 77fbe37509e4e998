import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The account's id at the payment provider: it reveals nothing of the person, cannot be guessed, and differs in every
  // installation.
  `alter table accounts add column payment_reference uuid not null unique default gen_random_uuid()`,
  `create index accounts_by_access_end on accounts (access_until) where access_until is not null`,

  `alter table subscriptions
     add column provider_plan_id text,
     add column starts_at timestamptz,
     add column last_paid_at timestamptz,
     add column payment_failed_at timestamptz,
     add column payments_stale boolean not null default false`,
  `update subscriptions set provider_plan_id = 'TEST-PLAN-' || plan_id where provider = 'test'`,
  `update subscriptions set provider_plan_id = '' where provider_plan_id is null`,
  `alter table subscriptions alter column provider_plan_id set not null`,
  // Payments from before the history was kept are fetched at the next chance.
  `update subscriptions set payments_stale = true where started_at is not null`,
  `create index subscriptions_with_stale_payments on subscriptions (id) where payments_stale`,

  `create table payments (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     provider text not null,
     provider_payment_id text not null,
     order_id text not null,
     amount_cents int not null,
     currency text not null,
     status text not null,
     paid_at timestamptz not null,
     primary key (account_id, id),
     unique (provider, provider_payment_id)
   )`,
  `create index payments_of_account on payments (account_id, paid_at desc, id desc)`,

  // Of an event no more is kept than what it is about: the rest is the payer's name and address.
  `create table payment_events (
     provider text not null,
     event_id text not null,
     type text not null,
     order_id text,
     payment_id text,
     received_at timestamptz not null,
     attempts int not null default 0,
     next_attempt_at timestamptz,
     primary key (provider, event_id)
   )`,
  `create index payment_events_due on payment_events (next_attempt_at) where next_attempt_at is not null`,
  `create index payment_events_by_age on payment_events (received_at)`,

  `create table subscription_notices (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     subscription_id bigint not null,
     occasion text not null,
     occurred_at timestamptz not null,
     access_ends_at timestamptz,
     created_at timestamptz not null,
     attempts int not null default 0,
     next_attempt_at timestamptz,
     sent_at timestamptz,
     primary key (account_id, id),
     unique (account_id, occasion, occurred_at)
   )`,
  `create index subscription_notices_due on subscription_notices (next_attempt_at) where next_attempt_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
