import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import { blanks } from './placeholder-sql.ts';

/**
 * Whether a placeholder has nothing to say to a profile, over the table `profiles`: what `placeholderText` answers, in
 * SQL. A test compares the two.
 */
export function isEmptyFor(path: string): RawBuilder<boolean> {
  const column = profileColumns.find((name) => name === path);
  const custom = isCustomEmpty(path);
  if (!column) return custom;
  return sql<boolean>`(btrim(coalesce(${sql.ref(`profiles.${column}`)}::text, ''), ${blanks}) = '' and ${custom})`;
}

function isCustomEmpty(path: string): RawBuilder<boolean> {
  const field = parseFieldPath(path.startsWith('custom_fields.') ? path : `custom_fields.${path}`);
  if (field?.kind !== 'custom') return sql<boolean>`true`;
  const value = sql`profiles.custom_fields #> ${[...field.keys]}::text[]`;
  return sql<boolean>`
    coalesce(case jsonb_typeof(${value})
               when 'object' then true
               when 'null' then true
               when 'array' then not jsonb_path_exists(${value}, '$[*] ? (@.type() == "number" || @.type() == "boolean" || (@.type() == "string" && @ != ""))')
               else btrim(${value} #>> '{}', ${blanks}) = '' end, true)`;
}
