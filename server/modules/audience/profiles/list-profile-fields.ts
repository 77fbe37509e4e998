import { sql } from 'kysely';
import { parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import type { ProfileColumn } from '#contracts/field-path.ts';
import type { ProfileField } from '#contracts/profiles.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { AccountContext } from '#server/context.ts';
import { hasPart } from '#server/platform/db/like.ts';
import { narrowedTo } from '#server/scope.ts';
import { countProfiles } from './count-profiles.ts';
import { inReach, newestInReach } from './in-reach.ts';
import { storedValue } from './list-field-values.ts';
import { presentProfile } from './present.ts';
import type { ProfileRow } from './present.ts';
import { valueAt } from './value-at.ts';
import type { ProfileFieldsTable } from './tables.ts';

type CataloguedPath = {
  path: string;
  types: ProfileFieldsTable['type'][];
  profiles: number;
  sample_profile_id: number;
};

const maxSampleLength = 100;

const columnTypes: Record<ProfileColumn, ProfileField['types'][number]> = {
  phone: 'string',
  country_code: 'string',
  name: 'string',
  email: 'string',
  status: 'string',
  tags: 'array',
  phone_is_valid: 'boolean',
  created_at: 'time',
  updated_at: 'time',
};

/** The field paths of the account, from the catalogue that is kept as profiles change. */
export async function listProfileFields(
  ctx: AccountContext,
  input: { search?: string | undefined; limit: number },
): Promise<{ data: ProfileField[] }> {
  const search = input.search?.toLowerCase() ?? '';
  const [total, all] = await Promise.all([countProfiles(ctx), findCataloguedPaths(ctx, search, input.limit)]);
  const catalogued = narrowedTo(ctx) === null ? all : await countInReach(ctx, all);
  const newest = await findNewestProfile(ctx);
  const samples = await findProfiles(
    ctx,
    catalogued.map(({ sample_profile_id }) => sample_profile_id),
  );
  const byPath = new Map(catalogued.map((each) => [each.path, each]));
  const columns = profileColumns
    .filter((path) => path.includes(search))
    .map((path) => {
      const known = byPath.get(path);
      // Of what the catalogue knows, a profile that has a value.
      const profile = (known && samples.get(known.sample_profile_id)) ?? newest;
      return {
        path,
        types: [columnTypes[path]],
        sample: profile ? sampleOf(profile, path) : null,
        profiles: ['name', 'email', 'country_code', 'tags'].includes(path) ? (known?.profiles ?? 0) : total,
      };
    });
  const custom = catalogued
    .filter(({ path }) => path.startsWith('custom_fields.'))
    .map(({ path, types, profiles, sample_profile_id }) => {
      const profile = samples.get(sample_profile_id);
      return { path, types, sample: profile ? sampleOf(profile, path) : null, profiles };
    });
  return { data: [...columns, ...custom].slice(0, input.limit) };
}

async function findCataloguedPaths(ctx: AccountContext, search: string, limit: number): Promise<CataloguedPath[]> {
  const { rows } = await sql<CataloguedPath>`
    select path, array_agg(type order by profiles desc) as types, sum(profiles)::bigint as profiles,
           (array_agg(sample_profile_id order by type in ('empty', 'null'), profiles desc))[1] as sample_profile_id
      from profile_field_totals
     where account_id = ${ctx.account.id} and ${hasPart(sql`path`, search)} and path not like 'tags.%'
     group by path
     order by path
     limit ${limit + profileColumns.length}
  `.execute(ctx.db);
  return rows;
}

const mostCounted = 5_000;

/** The paths that profiles have whom a narrowed member sees, counted among the newest of these. */
async function countInReach(ctx: AccountContext, paths: readonly CataloguedPath[]): Promise<CataloguedPath[]> {
  const counts = paths.map(({ path }) => {
    const field = parseFieldPath(path);
    const isThere = field ? sql`${storedValue(field)} not in ('null', '""', '[]')` : sql`false`;
    return sql`count(*) filter (where ${isThere})`;
  });
  if (counts.length === 0) return [];
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts from ${newestInReach(ctx, mostCounted)}
  `.execute(ctx.db);
  const counted = (rows[0]?.counts ?? []).map(Number);
  return paths
    .map((each, index) => ({ ...each, profiles: counted[index] ?? 0 }))
    .filter(({ profiles }) => profiles > 0);
}

function findNewestProfile(ctx: AccountContext): Promise<ProfileRow | undefined> {
  return ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where(inReach(ctx))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function findProfiles(ctx: AccountContext, ids: readonly number[]): Promise<Map<number, ProfileRow>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...new Set(ids)])
    .where(inReach(ctx))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function sampleOf(row: ProfileRow, path: string): string | null {
  const field = parseFieldPath(path);
  if (!field || field.kind === 'fact') return null;
  const value =
    field.kind === 'column'
      ? presentProfile({ ...row, opted_out_at: null, off_whatsapp_at: null, facts: null })[field.column]
      : valueAt(row.custom_fields, field.keys);
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shortenText(text, maxSampleLength);
}
