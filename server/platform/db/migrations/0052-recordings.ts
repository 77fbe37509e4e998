import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Adds the state of recordings and videos. Files from before this migration are taken to be playable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media_files
      add column duration_ms int,
      add column channels int,
      add column is_playable boolean not null default true,
      add column waveform bytea
  `.execute(db);
}
