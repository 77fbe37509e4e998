import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listSegments as contract } from '#contracts/segments.ts';
import { requirePermission } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { notLeaving } from '#server/not-leaving.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { presentSegment } from './present.ts';
import { growthOf } from './daily-counts.ts';
import { isUsedBy } from './get-segment-usage.ts';
import { findSegmentRows } from './queries.ts';

type ListSegments = EndpointInput<typeof contract>['query'];

const keysOf = (ctx: AccountContext): Record<ListSegments['sort'], ListKey> => ({
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  updated: { by: sql`s.updated_at`, type: 'timestamptz', first: 'desc' },
  growth: { by: growthOf(ctx), type: 'bigint', first: 'desc' },
});

/** Over rows `s`, which the statement narrows to the account itself. */
export const segmentFilter = (
  ctx: AccountContext,
  { search = '', used_by: user }: Partial<Pick<ListSegments, 'search' | 'used_by'>>,
) => sql`not s.is_own and ${hasWords(sql`s.name`, search)} and ${user === undefined ? sql`true` : isUsedBy(ctx, user)}`;

export async function listSegments(
  ctx: AccountContext,
  input: ListSegments,
): Promise<EndpointResponse<typeof contract>> {
  if (input.used_by !== undefined) requirePermission(ctx, 'campaigns:read');
  const where = sql`s.account_id = ${ctx.account.id} and ${segmentFilter(ctx, input)} and ${notLeaving(ctx, 'segments')}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'segments', where, key: keysOf(ctx)[input.sort], input });
  return { data: inOrderOf(ids, await findSegmentRows(ctx, ids)).map(presentSegment), ...place };
}
