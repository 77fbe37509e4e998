import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath } from '#contracts/field-path.ts';
import type { ProfileFieldValue } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { hasPart } from '#server/platform/db/like.ts';
import { countProfiles } from './count-profiles.ts';
import { factSql } from './facts.ts';
import { newestInReach } from './in-reach.ts';
import { customValue } from './custom-value.ts';

/** So that the cost does not grow with the account. */
const sampledProfiles = 5_000;

/** The longest value that a condition takes. */
const longestValue = 1000;

type ListFieldValues = { path: string; search?: string | undefined; limit: number };
type FieldValues = { data: ProfileFieldValue[]; is_complete: boolean };

/** The values that a condition on this field may ask for; objects and empty values are left out. */
export async function listFieldValues(
  ctx: AccountContext,
  { path, search = '', limit }: ListFieldValues,
): Promise<FieldValues> {
  const field = parseFieldPath(path);
  if (!field) return { data: [], is_complete: true };
  const total = await countProfiles(ctx);
  const { rows } = await sql<ProfileFieldValue>`
    with sampled as materialized (
      select ${storedValue(field)} as value from ${newestInReach(ctx, sampledProfiles)}
    )
    select member #>> '{}' as value, count(*) as profiles
      from (
        -- A list that holds a value twice has it once.
        select distinct number, member
          from (select row_number() over () as number, value from sampled) as numbered
         cross join lateral jsonb_array_elements(
           case when jsonb_typeof(value) = 'array' then value else jsonb_build_array(value) end) as each (member)
         where jsonb_typeof(member) in ('string', 'number', 'boolean')
      ) as members
     where member #>> '{}' <> '' and length(member #>> '{}') <= ${longestValue}
       and ${hasPart(sql`member #>> '{}'`, search)}
     group by member #>> '{}'
     order by count(*) desc, 1
     limit ${limit}
  `.execute(ctx.db);
  return { data: rows, is_complete: total <= sampledProfiles };
}

/** A field of the table `profiles` as jsonb, times as they are presented. */
export function storedValue(field: FieldPath): RawBuilder<unknown> {
  if (field.kind === 'custom') return customValue(field.keys);
  if (field.kind === 'fact') return sql`to_jsonb(${factSql(field.fact)})`;
  const column = sql.ref(`profiles.${field.column}`);
  if (field.column === 'created_at' || field.column === 'updated_at') {
    return sql`to_jsonb(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
  }
  return sql`to_jsonb(${column})`;
}
