import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Opted-out numbers: they stay opted out whatever becomes of the profile. The key is the same for all forms of a
  // number.
  `create table suppressions (
     account_id bigint not null references accounts on delete cascade,
     phone_key text collate "C" not null,
     id bigint generated always as identity,
     phone text collate "C" not null,
     opted_out_at timestamptz not null,
     source text not null,
     evidence jsonb,
     note text,
     primary key (account_id, phone_key)
   )`,
  `create unique index suppressions_by_id on suppressions (account_id, id)`,

  // Only ever appended to; it goes with its account.
  `create table suppression_log (
     account_id bigint not null references accounts on delete cascade,
     id bigint generated always as identity,
     phone_key text collate "C" not null,
     phone text collate "C" not null,
     action text not null,
     source text not null,
     evidence jsonb,
     note text,
     at timestamptz not null,
     primary key (account_id, id)
   )`,
  `create index suppression_log_of_number on suppression_log (account_id, phone_key, id)`,
  `create index suppression_log_lifted on suppression_log (account_id, at) where action = 'opted_in'`,
  `create function keep_suppression_log() returns trigger language plpgsql as $$
   begin
     -- The account's deletion comes through its foreign key, one trigger deeper.
     if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
     raise exception 'the log of opt-outs is only appended to';
   end $$`,
  `create trigger suppression_log_stays before update or delete on suppression_log
     for each row execute function keep_suppression_log()`,

  // An account without a row has the defaults; so has a null.
  `create table opt_out_settings (
     account_id bigint primary key references accounts on delete cascade,
     recognizes_replies boolean not null default true,
     opt_out_words text[],
     opt_in_words text[],
     confirms_opt_out boolean not null default true,
     opt_out_text text,
     confirms_opt_in boolean not null default true,
     opt_in_text text
   )`,
  // When a number was last told: what answers by itself is not answered again and again.
  `create table opt_out_confirmations (
     account_id bigint not null references accounts on delete cascade,
     phone_key text collate "C" not null,
     action text not null,
     at timestamptz not null,
     primary key (account_id, phone_key, action)
   )`,

  `alter table messages add column override_opt_out boolean not null default false`,

  // Numbers that counted as opted out before this migration.
  `with said as (
     select distinct on (account_id, phone_key(phone)) account_id, phone_key(phone) as phone_key, phone
       from profiles
      where lower(status collate "C") in ('opted_out', 'opted-out', 'opted out', 'unsubscribed')
         or lower((custom_fields ->> 'opted_out') collate "C") = 'true'
      order by account_id, phone_key(phone), id
   ), taken_over as (
     insert into suppressions (account_id, phone_key, phone, opted_out_at, source, note)
     select account_id, phone_key, phone, now(), 'import', 'Taken over from the profile' from said
     returning *
   )
   insert into suppression_log (account_id, phone_key, phone, action, source, note, at)
   select account_id, phone_key, phone, 'opted_out', source, note, opted_out_at from taken_over order by id`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
