import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Whether people on WhatsApp see read marks and typing from the inbox.
  `alter table projects add column marks_read boolean not null default false`,
  `alter table projects add column shows_typing boolean not null default false`,

  // Messages that were read here, and whose sender is still to be told of it by the phone that they came to.
  `create table read_receipts (
     account_id bigint not null,
     phone_id bigint not null,
     message_id bigint not null,
     due_at timestamptz not null,
     created_at timestamptz not null,
     primary key (account_id, message_id),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
  `create index read_receipts_due on read_receipts (phone_id, due_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
