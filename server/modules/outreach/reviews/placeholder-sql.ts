import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import type { ProfileColumn } from '#contracts/field-path.ts';
import { templateParts } from '#contracts/template.ts';

/** All that `trim` takes off (ECMAScript, WhiteSpace and LineTerminator). */
export const blanks = sql.lit(
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

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
  // Of a list a key finds nothing, where a path would count its items; the lists within a list are unwrapped.
  const value = field.keys.reduce((within, key) => sql`${within} -> ${key}::text`, sql`profiles.custom_fields`);
  return sql<string>`
    coalesce(case jsonb_typeof(${value})
               when 'object' then ''
               when 'null' then ''
               when 'array' then (select string_agg(item #>> '{}', ', ') from jsonb_path_query(${value}, '$[*][*][*][*][*]') as item
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
