import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table phone_health (
     account_id bigint not null,
     phone_id bigint primary key references phones (id) on delete cascade,
     is_protected boolean not null default true,
     has_quiet_hours boolean not null default true,
     is_older_account boolean not null default false,
     facts jsonb not null default '{}',
     first_stopped_until timestamptz,
     all_stopped_until timestamptz,
     refused_at timestamptz,
     canary_sent_at timestamptz,
     state text not null default 'healthy',
     code text,
     until timestamptz,
     state_since timestamptz not null
   )`,
  `create table phone_contacts (
     account_id bigint not null,
     phone_id bigint not null references phones (id) on delete cascade,
     phone_key text not null collate "C",
     wrote_at timestamptz,
     refused_at timestamptz,
     primary key (phone_id, phone_key)
   )`,
  `create table phone_sends (
     account_id bigint not null,
     phone_id bigint not null references phones (id) on delete cascade,
     message_id bigint not null,
     phone_key text not null collate "C",
     contact text not null,
     is_counted boolean not null default true,
     at timestamptz not null,
     first_gap_ms int not null default 0,
     gap_ms int not null default 0,
     accepted_at timestamptz,
     delivered_at timestamptz,
     answered_at timestamptz,
     primary key (phone_id, message_id)
   )`,
  `create index phone_sends_by_time on phone_sends (phone_id, at)`,
  `create index phone_sends_by_contact on phone_sends (phone_id, contact, at) where is_counted`,
  `create index phone_sends_by_person on phone_sends (phone_id, phone_key, at) where answered_at is null`,
  `create table phone_signals (
     account_id bigint not null,
     phone_id bigint not null references phones (id) on delete cascade,
     id bigint generated always as identity primary key,
     at timestamptz not null,
     kind text not null,
     number text,
     until timestamptz,
     detail jsonb not null default '{}'
   )`,
  `create index phone_signals_of_phone on phone_signals (phone_id, id)`,
  // A phone that has been linked for a while is as warm as its days say.
  `insert into phone_health (account_id, phone_id, facts, state_since)
   select account_id, id,
          jsonb_build_object('linkedAt', created_at,
                             'rampDay', least(29, 1 + extract(day from now() - created_at)::int),
                             'idleFrom', coalesce(last_used_at, created_at)),
          now()
     from phones where connector = 'whatsapp' and was_connected`,
  `insert into phone_contacts (account_id, phone_id, phone_key, wrote_at)
   select account_id, phone_id, phone_key(sender), max(seen_at)
     from incoming_messages_seen
    where sender ~ '^[0-9]+$'
    group by account_id, phone_id, phone_key(sender)`,
  // Handed over by what paces its messages, and not by somebody who waits for the answer.
  `alter table messages add column is_queued boolean`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
