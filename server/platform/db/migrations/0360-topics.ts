import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A deleted topic stays: what names it goes on keeping to what people said of it.
  `create table topics (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     name text not null,
     description text,
     needs_opt_in boolean not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (account_id, id)
   )`,
  `create unique index topics_by_name on topics (account_id, lower(name)) where deleted_at is null`,

  // The last word of a number on a topic; the key is the same for all forms of a number.
  `create table topic_consents (
     account_id bigint not null,
     topic_id bigint not null,
     phone_key text collate "C" not null,
     id bigint not null default next_record_id(),
     phone text collate "C" not null,
     state text not null,
     source text not null,
     evidence jsonb not null,
     note text,
     at timestamptz not null,
     primary key (account_id, phone_key, topic_id),
     foreign key (account_id, topic_id) references topics on delete cascade
   )`,
  `create unique index topic_consents_by_id on topic_consents (account_id, topic_id, id)`,

  // Only ever appended to; it goes with its account.
  `create table topic_consent_log (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     topic_id bigint not null,
     topic_name text not null,
     phone_key text collate "C" not null,
     phone text collate "C" not null,
     state text not null,
     source text not null,
     evidence jsonb not null,
     note text,
     at timestamptz not null,
     noted_at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create index topic_consent_log_of_number on topic_consent_log (account_id, phone_key, id)`,
  `create index topic_consent_log_given on topic_consent_log (account_id, topic_id, noted_at) where state = 'opted_in'`,
  `create trigger topic_consent_log_stays before update or delete on topic_consent_log
     for each row execute function keep_suppression_log()`,

  // To whom a campaign, a flow or a bulk run may write beyond its audience; without a row there is no rule.
  `create table source_rules (
     account_id bigint not null references accounts on delete cascade,
     source text not null,
     source_id bigint not null,
     topic_id bigint,
     when_capped text not null default 'skip',
     priority text not null default 'normal',
     primary key (account_id, source, source_id),
     foreign key (account_id, topic_id) references topics
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
