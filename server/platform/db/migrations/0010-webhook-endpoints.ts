import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The events of one message are sent in their order; a manual retry leaves the automatic schedule as it is.
  `alter table webhook_records
     add column message_id bigint,
     add column is_manual boolean not null default false,
     add column manual_attempts int not null default 0,
     add column scheduled_attempt_at timestamptz`,

  // Since when every attempt has failed; an endpoint that fails for days, or says it is gone, is switched off.
  `alter table projects
     add column webhook_failing_since timestamptz,
     add column webhook_disabled_at timestamptz,
     add column webhook_disabled_reason text`,

  // Revoking a session or a key, by whatever way, ends the streams that were opened with it.
  `create function notify_revoked_credentials() returns trigger language plpgsql as $$
   begin
     perform pg_notify('dovepost_credentials', '');
     return null;
   end $$`,
  `create trigger sessions_revoked after delete on sessions
     for each statement execute function notify_revoked_credentials()`,
  `create trigger api_keys_replaced after update of api_key_hash on accounts
     for each statement execute function notify_revoked_credentials()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
