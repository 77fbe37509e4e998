import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import type { ProfileColumn } from '#contracts/field-path.ts';
import { templateParts } from '#contracts/template.ts';

export const blanks = sql.lit(' \t\n\r');

type Text = RawBuilder<string>;

/** The answer of `placeholderText` in SQL over the table `profiles`. A test compares the two. */
export function placeholderSql(path: string): Text {
  const column = profileColumns.find((name) => name === path);
  const custom = customSql(path);
  return column === undefined ? custom : sql<string>`coalesce(nullif(${columnSql(column)}, ''), ${custom})`;
}

function columnSql(column: ProfileColumn): Text {
  const ref = sql.ref(`profiles.${column}`);
  switch (column) {
    case 'tags':
      return sql<string>`coalesce(array_to_string(${ref}, ', '), '')`;
    case 'created_at':
    case 'updated_at':
      return sql<string>`to_char(${ref} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    default:
      return sql<string>`coalesce(${ref}::text, '')`;
  }
}

function customSql(path: string): Text {
  const field = parseFieldPath(path.startsWith('custom_fields.') ? path : `custom_fields.${path}`);
  if (field?.kind !== 'custom') return sql<string>`''`;
  const value = sql`profiles.custom_fields #> ${[...field.keys]}::text[]`;
  return sql<string>`
    coalesce(case jsonb_typeof(${value})
               when 'object' then ''
               when 'null' then ''
               when 'array' then (select string_agg(item #>> '{}', ', ') from jsonb_array_elements(${value}) as item
                                   where jsonb_typeof(item) in ('string', 'number', 'boolean') and item #>> '{}' <> '')
               else ${value} #>> '{}' end, '')`;
}

/** The template as a recipient reads it; `textOf` is the text of a placeholder, in SQL. */
export function filledSql(template: string, textOf: (path: string) => Text): Text {
  const parts = templateParts(template).map((part) => {
    if (typeof part === 'string') return sql<string>`${part}::text`;
    const text = textOf(part.path);
    if (part.fallback === undefined) return text;
    return sql<string>`case when btrim(${text}, ${blanks}) = '' then ${part.fallback}::text else ${text} end`;
  });
  return parts.length === 0 ? sql<string>`''` : sql<string>`concat(${sql.join(parts)})`;
}
