import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { ProfileSort, listProfiles as contract } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { countProfiles, presentProfiles } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { afterCursor, cursorOf } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { compileFilter, requireFilter } from './profile-filter.ts';

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
  const { predicate, isAll } = await compileFilter(ctx, input);
  const key = keys[sort];
  const order = input.order ?? key.first;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const total = await countMatches(ctx, { predicate, isAll });
  const offset = after === undefined ? (page - 1) * pageSize : 0;
  if (offset >= total) return { data: [], total, page, pageSize, next_cursor: null };
  // The fence keeps the planner from walking the whole order in search of a few.
  const fence = !isAll && total <= sortedMatches ? sql`offset 0` : sql``;
  const place = after === undefined ? sql`true` : afterCursor(key, { sort, order, after });
  const { rows } = await sql<ProfileRow & { list_key: string | null }>`
    select s.*, (${key.by})::text as list_key
      from (select * from profiles where profiles.account_id = ${ctx.account.id} and ${predicate} ${fence}) as s
     where ${place}
     order by ${key.by} ${direction}, s.id ${direction}
     limit ${pageSize + 1} offset ${offset}
  `.execute(ctx.db);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const next = last ? cursorOf([sort, order, last.list_key, last.id]) : null;
  return { data: await presentProfiles(ctx, shown), total, page, pageSize, next_cursor: next };
}

type Narrowing = Awaited<ReturnType<typeof compileFilter>>;

async function countMatches(ctx: AccountContext, { predicate, isAll }: Narrowing): Promise<number> {
  if (isAll) return countProfiles(ctx);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from profiles where profiles.account_id = ${ctx.account.id} and ${predicate}
  `.execute(ctx.db);
  return rows[0]?.total ?? 0;
}
