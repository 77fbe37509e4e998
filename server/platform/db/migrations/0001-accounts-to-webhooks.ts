import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Ids of records grow with time, so that a record's id alone says which month's partition holds it:
  // milliseconds since 2026-01-01 UTC, then 12 bits of a sequence. They stay below 2^53 until the year 2095.
  `create sequence record_id_seq cycle maxvalue 4095 minvalue 0 start 0 cache 1`,
  `create function record_id_at(at timestamptz) returns bigint language sql immutable
     return ((extract(epoch from at) * 1000)::bigint - 1767225600000) << 12`,
  `create function next_record_id() returns bigint language sql volatile
     return record_id_at(clock_timestamp()) + nextval('record_id_seq')`,

  `create table accounts (
     id bigint generated always as identity primary key,
     name text not null,
     email text not null,
     email_key text not null unique,
     password_hash text not null,
     api_key_hash bytea not null unique,
     api_key_sealed bytea not null,
     timezone text not null default 'UTC',
     access_until timestamptz,
     created_at timestamptz not null default now()
   )`,
  `create table sessions (
     token_hash bytea primary key,
     account_id bigint not null references accounts on delete cascade,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     expires_at timestamptz not null
   )`,
  `create index on sessions (account_id)`,
  `create index on sessions (expires_at)`,
  `create table password_resets (
     account_id bigint primary key references accounts on delete cascade,
     token_hash bytea not null unique,
     expires_at timestamptz not null
   )`,
  `create table sign_in_attempts (
     key text primary key,
     failures int not null,
     last_failed_at timestamptz not null
   )`,

  `create table plans (
     id bigint primary key,
     name text not null,
     description text not null,
     price_cents int not null,
     duration_months int not null,
     features jsonb not null,
     project_limit int not null
   )`,
  `create table subscriptions (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity unique,
     plan_id bigint not null references plans,
     provider text not null,
     order_id text not null,
     approval_url text,
     status text not null,
     started_at timestamptz,
     next_payment_at timestamptz,
     paid_until timestamptz,
     access_until timestamptz,
     next_check_at timestamptz,
     version int not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (account_id, id),
     unique (provider, order_id)
   )`,
  `create index on subscriptions (next_check_at) where next_check_at is not null`,
  // The test payment provider's own records, as PayPal would keep them on its side.
  `create table test_orders (
     order_id text primary key,
     request_id text not null unique,
     account_id bigint not null references accounts on delete cascade,
     plan_id bigint not null references plans,
     duration_months int not null,
     approved_at timestamptz,
     declined_at timestamptz,
     cancelled_at timestamptz,
     created_at timestamptz not null
   )`,

  `create table projects (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     name text not null,
     auth_key_hash bytea not null unique,
     auth_key_sealed bytea not null,
     webhook_url text,
     webhook_secret_sealed bytea not null,
     status text not null default 'created',
     connected_at timestamptz,
     created_at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create table phones (
     account_id bigint not null,
     project_id bigint not null,
     id bigint generated always as identity unique,
     number text,
     name text,
     connector text not null,
     priority int not null default 0,
     max_daily_messages int not null default 1000,
     is_active boolean not null default true,
     status text not null default 'created',
     status_changed_at timestamptz not null,
     was_connected boolean not null default false,
     connected_at timestamptz,
     error text,
     wanted text not null default 'offline',
     sign_out_requested boolean not null default false,
     restricted_until timestamptz,
     link_qr text,
     link_expires_at timestamptz,
     pairing_requested boolean not null default false,
     pairing_code text,
     count_day date,
     daily_count int not null default 0,
     message_count bigint not null default 0,
     rotation_turn bigint not null default 0,
     last_used_at timestamptz,
     created_at timestamptz not null,
     primary key (account_id, id),
     unique (account_id, project_id, number),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  // Counts change with every message: room on the page keeps those updates off the indexes.
  `alter table phones set (fillfactor = 50)`,
  `create table phone_leases (
     account_id bigint not null,
     phone_id bigint primary key references phones (id) on delete cascade,
     owner text not null,
     token bigint not null,
     expires_at timestamptz not null
   )`,
  `alter table phone_leases set (fillfactor = 50)`,
  `create sequence lease_token_seq`,
  `create table connector_credentials (
     account_id bigint not null,
     phone_id bigint primary key references phones (id) on delete cascade,
     sealed bytea not null
   )`,
  `create table connector_keys (
     account_id bigint not null,
     phone_id bigint not null references phones (id) on delete cascade,
     type text not null,
     id text not null,
     sealed bytea not null,
     primary key (phone_id, type, id)
   )`,

  `create table messages (
     account_id bigint not null,
     project_id bigint not null,
     id bigint not null default next_record_id(),
     phone_id bigint,
     direction text not null,
     recipient text,
     sender text,
     body text not null,
     status text not null,
     error text,
     error_code text,
     network_id text,
     lease_token bigint,
     created_at timestamptz not null,
     sent_at timestamptz,
     delivered_at timestamptz,
     read_at timestamptz,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) partition by range (id)`,
  `create index messages_of_project on messages (account_id, project_id, id desc)`,
  `create index messages_waiting on messages (phone_id, id) where status = 'pending'`,
  `create index messages_sending on messages (phone_id, id) where status = 'sending'`,
  `create index messages_by_network_id on messages (phone_id, network_id) where network_id is not null`,
  // Uniqueness that outlives a month's partition.
  `create table incoming_messages_seen (
     account_id bigint not null,
     phone_id bigint not null references phones (id) on delete cascade,
     sender text not null,
     network_id text not null,
     message_id bigint not null,
     seen_at timestamptz not null,
     primary key (phone_id, sender, network_id)
   )`,
  `create index on incoming_messages_seen (seen_at)`,
  `create table idempotency_keys (
     account_id bigint not null,
     project_id bigint not null,
     key text not null,
     fingerprint bytea not null,
     message_id bigint not null,
     created_at timestamptz not null,
     primary key (account_id, project_id, key),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   )`,
  `create index on idempotency_keys (created_at)`,

  `create table webhook_records (
     account_id bigint not null,
     project_id bigint not null,
     id bigint not null default next_record_id(),
     event_id text not null,
     url text not null,
     type text not null,
     payload text not null,
     status text not null,
     error text,
     attempts int not null default 0,
     last_status_code int,
     next_attempt_at timestamptz,
     created_at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
   ) partition by range (id)`,
  `create index webhook_records_of_project on webhook_records (account_id, project_id, id desc)`,
  // By project, so that what waits for a dead endpoint is never stepped over to reach another's.
  `create index webhook_records_due on webhook_records (account_id, project_id, next_attempt_at)
     where status = 'pending'`,

  // Makes a partition for each month; called at every start and daily, so that the next months are always there.
  `create function ensure_month_partitions(parent text, from_month date, months int) returns void language plpgsql as $$
   declare
     month date;
     next_month date;
     partition text;
   begin
     for step in 0 .. months - 1 loop
       month := (date_trunc('month', from_month) + make_interval(months => step))::date;
       next_month := (month + interval '1 month')::date;
       partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
       if to_regclass(partition) is null then
         execute format('create table %I partition of %I for values from (%s) to (%s)', partition, parent,
           record_id_at(month::timestamp at time zone 'UTC'), record_id_at(next_month::timestamp at time zone 'UTC'));
       end if;
     end loop;
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql`
    insert into plans (id, name, description, price_cents, duration_months, features, project_limit)
    values (1, 'Premium Plan', 'Access to all WhatsApp API features', 999, 1,
            '["Unlimited connections", "Webhooks", "API access", "Priority support"]', 1)
  `.execute(db);
}
