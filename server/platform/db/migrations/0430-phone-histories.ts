import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table projects add column imports_history boolean not null default false`,
  `create table phone_histories (
     account_id bigint not null,
     phone_id bigint primary key references phones (id) on delete cascade,
     since timestamptz not null,
     begun_at timestamptz not null,
     changed_at timestamptz not null,
     ended_at timestamptz,
     percent int,
     chats int not null default 0,
     messages int not null default 0,
     file_bytes bigint not null default 0,
     outcome text
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
