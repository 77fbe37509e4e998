import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { packedCodes, packedWords } from '../packed-json.ts';

const unpacked = packedWords.reduce<string>(
  (text, word, place) => `replace(${text}, chr(${packedCodes[place]}), '${word}')`,
  `replace(kept, chr(9), left(split_part(kept, chr(2), 2), 11))`,
);

const statements = [
  `create function unpacked_json(kept text) returns text language sql immutable strict parallel safe
   as $$ select ${unpacked} $$`,

  // A process of the release before reads what is kept as it is: until the upgrade is finished nothing is packed.
  `create function kept_json(packed text) returns text language sql immutable strict parallel safe
   as $$ select unpacked_json(packed) $$`,
  // A packed attempt: when, in milliseconds, its status code, its duration in milliseconds, its error, its answer.
  `create function unpacked_attempt(kept jsonb) returns jsonb language sql stable strict parallel safe
   as $$ select case jsonb_typeof(kept) when 'object' then kept else jsonb_build_object(
     'at', to_char(to_timestamp((kept ->> 0)::numeric / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
     'status_code', kept -> 1, 'duration_ms', kept -> 2,
     'error', coalesce(kept -> 3, 'null'), 'answer', coalesce(kept -> 4, 'null')) end $$`,
  `create function kept_attempt(packed jsonb) returns jsonb language sql stable strict parallel safe
   as $$ select unpacked_attempt(packed) $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
