import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Lower case, without accents: names are searched by it. Plain ASCII, which has none, takes the short way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create function plain_text(given text) returns text language sql immutable parallel safe return
         case when octet_length(given) = length(given) then lower(given)
              else lower(regexp_replace(normalize(given, NFD), '[\\u0300-\\u036f]', '', 'g')) end`,
    )
    .execute(db);
}
