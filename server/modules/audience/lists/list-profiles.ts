import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { ProfileSort, listProfiles as contract } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { askedOf, readAllOrSome, walkIds } from '#server/modules/audience/conditions/index.ts';
import { countProfiles, presentProfiles } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { afterCursor, cursorOf } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { compileFilter, requireFilter } from './profile-filter.ts';
import type { CompiledFilter } from './profile-filter.ts';

type ListProfiles = EndpointInput<typeof contract>['query'];

/** Matches up to here are sorted; more are met soon enough on the way through the sorted index. */
const sortedMatches = 10_000;

/** Over `s`. Profiles without a name come last in an ascending order, as in the index. */
const keys: Record<ProfileSort, ListKey> = {
  id: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  phone: { by: sql`s.phone`, type: 'text', first: 'asc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc', isNullable: true },
  created_at: { by: sql`s.created_at`, type: 'timestamptz', first: 'desc' },
  updated_at: { by: sql`s.updated_at`, type: 'timestamptz', first: 'desc' },
};

export async function listProfiles(
  ctx: AccountContext,
  input: ListProfiles,
): Promise<EndpointResponse<typeof contract>> {
  const { page, pageSize, sort, after } = input;
  await requireFilter(ctx, input);
  const filter = await compileFilter(ctx, input);
  const order = input.order ?? keys[sort].first;
  const { total, is_estimate } = await countMatches(ctx, filter);
  const offset = after === undefined ? (page - 1) * pageSize : 0;
  const counted = { total, is_estimate, page, pageSize };
  if (offset >= total && !is_estimate) return { data: [], ...counted, next_cursor: null };
  const asked = { sort, order, after, limit: pageSize + 1, offset };
  const isWalked = is_estimate && sort === 'id' && order === 'desc' && after === undefined;
  const rows = isWalked ? await walkRows(ctx, filter, asked) : await findRows(ctx, filter, { ...asked, total });
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const next = last ? cursorOf([sort, order, last.list_key, last.id]) : null;
  return { data: await presentProfiles(ctx, shown), ...counted, next_cursor: next };
}

type ListedRow = ProfileRow & { list_key: string | null };
type Page = Pick<ListProfiles, 'sort' | 'after'> & { order: 'asc' | 'desc'; limit: number; offset: number };

async function findRows(
  ctx: AccountContext,
  { predicate, isAll }: CompiledFilter,
  { sort, order, after, limit, offset, total }: Page & { total: number },
): Promise<ListedRow[]> {
  const key = keys[sort];
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  // The fence keeps the planner from walking the whole order in search of a few.
  const fence = !isAll && total <= sortedMatches ? sql`offset 0` : sql``;
  const place = after === undefined ? sql`true` : afterCursor(key, { sort, order, after });
  const { rows } = await sql<ListedRow>`
    select s.*, (${key.by})::text as list_key
      from (select * from profiles where profiles.account_id = ${ctx.account.id} and ${predicate} ${fence}) as s
     where ${place}
     order by ${key.by} ${direction}, s.id ${direction}
     limit ${limit} offset ${offset}
  `.execute(ctx.db);
  return rows;
}

/** The newest, where finding all takes too long. */
async function walkRows(
  ctx: AccountContext,
  { criteria, rest }: CompiledFilter,
  { limit, offset }: Page,
): Promise<ListedRow[]> {
  const ids = await walkIds(ctx, askedOf(ctx, criteria), { limit, offset, within: rest });
  const { rows } = await sql<ListedRow>`
    select s.*, s.id::text as list_key from profiles as s
     where s.account_id = ${ctx.account.id} and s.id = any(${ids}::bigint[]) order by s.id desc
  `.execute(ctx.db);
  return rows;
}

async function countMatches(
  ctx: AccountContext,
  { isAll, criteria, rest }: CompiledFilter,
): Promise<{ total: number; is_estimate: boolean }> {
  if (isAll) return { total: await countProfiles(ctx), is_estimate: false };
  return readAllOrSome(ctx, askedOf(ctx, criteria), async (tx, { predicate, isEstimate, scaled }) => {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from profiles where profiles.account_id = ${ctx.account.id} and ${rest} and ${predicate}
    `.execute(tx.db);
    return { total: scaled(rows[0]?.total ?? 0), is_estimate: isEstimate };
  });
}
