import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // The business accounts of the official API whose templates are kept; sync_due_at: when they are read anew.
  `create table whatsapp_business_accounts (
     account_id bigint not null references accounts on delete cascade,
     business_account_id text not null,
     synced_at timestamptz,
     sync_due_at timestamptz not null,
     primary key (account_id, business_account_id)
   )`,
  `create index whatsapp_business_accounts_due on whatsapp_business_accounts (sync_due_at)`,

  `create table whatsapp_templates (
     account_id bigint not null references accounts on delete cascade,
     id bigint not null default next_record_id(),
     business_account_id text not null,
     network_id text not null,
     name text not null,
     language text not null,
     category text not null,
     status text not null,
     reason text,
     quality text not null,
     parameter_format text not null,
     components jsonb not null,
     version int not null default 1,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     synced_at timestamptz not null,
     primary key (account_id, id),
     unique (account_id, business_account_id, name, language)
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
