import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Processes keep for moments what a project's key opens, and to whom: each change of that is told to all of them.
  `create function announce_project_keys() returns trigger language plpgsql as $$
   begin
     perform pg_notify('dovepost_project_keys', to_jsonb(old) ->> tg_argv[0]);
     return null;
   end $$`,
  `create trigger announce_project_keys after update of auth_key_hash, direct_first_contacts or delete on projects
     for each row execute function announce_project_keys('account_id')`,
  `create trigger announce_project_keys
     after update of key_hash, scopes, scopes_version, addresses, expires_at or delete on project_keys
     for each row execute function announce_project_keys('account_id')`,
  `create trigger announce_project_keys
     after update of timezone, access_until, suspended_at, suspension_reason, deletes_at on accounts
     for each row execute function announce_project_keys('id')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
