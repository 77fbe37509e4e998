import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // A person has an accounts row of the same id, also where they work in another's account alone: the release before
  // joins sessions, resets and links to it, so that an invited person's session opens nothing of the inviter there.
  `create view users as
     select id, name, email, email_key, password_hash, email_unconfirmed_since, created_at from accounts`,
  `create table memberships (
     account_id bigint not null references accounts on delete cascade,
     user_id bigint not null references accounts on delete cascade,
     role text not null,
     project_ids bigint[],
     created_at timestamptz not null default now(),
     removed_at timestamptz,
     primary key (account_id, user_id)
   )`,
  `create index on memberships (user_id)`,
  // Accounts of before count as their founder's until the backfill has reached them.
  `create view members as
     select account_id, user_id, role, project_ids, created_at from memberships where removed_at is null
     union all
     select a.id, a.id, 'owner', null::bigint[], a.created_at from accounts a
      where not exists (select from memberships m where m.account_id = a.id and m.user_id = a.id)`,
  `create table membership_backfill (after_id bigint not null, until_id bigint not null)`,
  `insert into membership_backfill select 0, coalesce(max(id), 0) from accounts`,
  // Also for accounts that the release before makes.
  `create function make_founder() returns trigger language plpgsql as $$
   begin
     insert into memberships (account_id, user_id, role, created_at) values (new.id, new.id, 'owner', new.created_at);
     return null;
   end $$`,
  `create trigger make_founder after insert on accounts for each row execute function make_founder()`,
  // Null: the person's own account.
  `alter table sessions add column current_account_id bigint`,
  // Null: the founder made it.
  `alter table accounts add column api_key_user_id bigint`,
  // Streams of a member who was removed, or whose role or projects changed, end.
  `create function announce_member() returns trigger language plpgsql as $$
   begin
     perform pg_notify('dovepost_credentials', '');
     return null;
   end $$`,
  `create trigger announce_member after update or delete on memberships
     for each statement execute function announce_member()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
