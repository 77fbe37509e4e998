import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Beside messages, which retention erases: when a message to many came how far.
  `create table engagements (
     account_id bigint not null references accounts (id) on delete cascade,
     message_id bigint not null,
     profile_id bigint not null,
     source text not null,
     source_id bigint not null,
     sent_at timestamptz,
     delivered_at timestamptz,
     read_at timestamptz,
     replied_at timestamptz,
     clicked_at timestamptz,
     failed_at timestamptz,
     opted_out_at timestamptz,
     changed_at timestamptz not null,
     primary key (account_id, message_id)
   ) with (fillfactor = 80)`,
  `create index engagements_of_profile on engagements (account_id, profile_id, sent_at desc)`,
  `create index engagements_changed on engagements (account_id, changed_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
