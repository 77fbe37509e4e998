import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Questions to a phone's network while somebody waits, answers about numbers, and how many a phone asked in a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table phone_questions (
      account_id bigint not null,
      phone_id bigint not null,
      id bigint generated always as identity primary key,
      question jsonb not null,
      answer jsonb,
      asked_at timestamptz not null,
      claimed_at timestamptz,
      foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
    )
  `.execute(db);
  await sql`create index phone_questions_open on phone_questions (phone_id, id) where claimed_at is null`.execute(db);
  await sql`
    create table number_checks (
      account_id bigint not null,
      phone_id bigint not null,
      phone_key text not null,
      is_there boolean not null,
      number text not null,
      lid text,
      checked_at timestamptz not null,
      primary key (phone_id, phone_key),
      foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
    )
  `.execute(db);
  await sql`
    create table number_look_ups (
      account_id bigint not null,
      phone_id bigint primary key,
      day date not null,
      count int not null,
      foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
    )
  `.execute(db);
}
