import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // Of all products of the database, whichever of them comes first: so they lie in public, and are made once.
  `select pg_advisory_xact_lock(hashtextextended('dovepost cells', 0))`,
  `create table if not exists public.cells (
     name text primary key,
     number int not null unique,
     url text,
     key_fingerprint bytea,
     files text,
     seen_at timestamptz
   )`,
  `create table if not exists public.cell_directory (
     fingerprint bytea not null,
     cell text not null,
     noted_at timestamptz not null default now(),
     primary key (fingerprint, cell)
   )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
