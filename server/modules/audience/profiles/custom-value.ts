import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The value under the keys as jsonb; null where there is none. Unlike `#>` it never takes a key for a list's index. */
export function customValue(keys: readonly string[]): RawBuilder<unknown> {
  const steps = keys.map((key) => sql` -> ${key}::text`);
  return sql`(profiles.custom_fields${sql.join(steps, sql``)})`;
}

/** The same as text, without the quotes of a string. */
export function customText(keys: readonly string[]): RawBuilder<string | null> {
  return sql`(${customValue(keys.slice(0, -1))} ->> ${keys.at(-1) ?? ''}::text)`;
}
