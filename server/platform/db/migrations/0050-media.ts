import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Files that were uploaded, or came with messages. The bytes lie elsewhere, under a key that nobody can guess.
  `create table media_files (
     account_id bigint not null references accounts on delete cascade,
     id text collate "C" not null,
     project_id bigint,
     -- It goes with its project.
     is_of_project boolean not null,
     source text not null,
     mime_type text not null,
     file_name text,
     size bigint not null,
     sha256 text not null,
     storage_key text,
     -- A small JPEG of a picture, and its measures in pixels.
     thumbnail bytea,
     width int,
     height int,
     is_animated boolean not null default false,
     state text not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     primary key (account_id, id),
     foreign key (account_id, project_id) references projects (account_id, id) on delete set null (project_id)
   )`,
  `create index media_files_of_account on media_files (account_id, source) where state = 'stored'`,
  `create index media_files_expiring on media_files (expires_at) where state <> 'gone'`,
  `create index media_files_of_project on media_files (account_id, project_id) where state <> 'gone' and is_of_project`,

  // Where a phone's network has a file, and how it is encrypted there: one upload serves many messages.
  `create table media_uploads (
     account_id bigint not null references accounts on delete cascade,
     phone_id bigint not null,
     media_id text collate "C" not null,
     type text not null,
     reference jsonb not null,
     uploaded_at timestamptz not null,
     primary key (account_id, phone_id, media_id, type),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade,
     foreign key (account_id, media_id) references media_files (account_id, id) on delete cascade
   )`,
  `create index media_uploads_of_media on media_uploads (account_id, media_id)`,

  // Files of incoming messages that are still to be fetched.
  `create table media_fetches (
     account_id bigint not null references accounts on delete cascade,
     phone_id bigint not null,
     message_id bigint not null,
     attempts int not null default 0,
     has_asked_again boolean not null default false,
     due_at timestamptz not null,
     created_at timestamptz not null,
     primary key (account_id, message_id),
     foreign key (account_id, phone_id) references phones (account_id, id) on delete cascade
   )`,
  `create index media_fetches_due on media_fetches (phone_id, due_at)`,

  // The message that this one answers or reacts to, as it was then: its network id, author, type and text.
  `alter table messages add column quote jsonb`,
  `alter table projects add column media_kept_days int not null default 90`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
