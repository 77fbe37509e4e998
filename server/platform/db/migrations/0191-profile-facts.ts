import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Beside profiles, whose rows the release before reads whole by prepared statements. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profile_facts (
      account_id bigint not null,
      profile_id bigint not null,
      language text,
      timezone text,
      external_id text collate "C",
      primary key (account_id, profile_id),
      foreign key (account_id, profile_id) references profiles (account_id, id) on delete cascade
    )
  `.execute(db);
  await sql`create unique index profile_facts_external on profile_facts (account_id, external_id)`.execute(db);
}
