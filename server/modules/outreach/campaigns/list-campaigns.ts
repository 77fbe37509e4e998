import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { CampaignStatus } from '#contracts/campaigns.ts';
import type { listCampaigns as contract } from '#contracts/campaigns.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { AccountContext } from '#server/context.ts';
import { notLeaving } from '#server/not-leaving.ts';
import { inScope } from '#server/scope.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { presentCampaignFor } from './present.ts';
import { findCampaignRecords } from './queries.ts';

type ListCampaigns = EndpointInput<typeof contract>['query'];

const keys: Record<ListCampaigns['sort'], ListKey> = {
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  status: {
    by: sql`array_position(${sql.lit(`{${CampaignStatus.options.join(',')}}`)}::text[], s.status)`,
    type: 'int',
    first: 'asc',
  },
  progress: {
    by: sql`coalesce(s.sent_count::float8 / nullif(s.total_count, 0), 0)`,
    type: 'double precision',
    first: 'desc',
  },
};

type Filter = Partial<Pick<ListCampaigns, 'search' | 'status' | 'project_id' | 'segment_id'>>;

/** Over rows `s`, which the statement narrows to the account itself. */
export function campaignFilter(filter: Filter): RawBuilder<unknown> {
  return sql`${hasWords(sql`s.name`, filter.search ?? '')}
    and ${filter.status === undefined ? sql`true` : sql`s.status = ${filter.status}`}
    and ${filter.project_id === undefined ? sql`true` : sql`s.project_id = ${filter.project_id}`}
    and ${filter.segment_id === undefined ? sql`true` : sql`coalesce((s.audience ->> 'segment_id')::bigint, s.segment_id) = ${filter.segment_id}`}`;
}

export async function listCampaigns(
  ctx: AccountContext,
  input: ListCampaigns,
): Promise<EndpointResponse<typeof contract>> {
  const own = sql`s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')}`;
  const where = sql`${own} and ${campaignFilter(input)} and ${notLeaving(ctx, 'campaigns')}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'campaigns', where, key: keys[input.sort], input });
  const { rows } = await sql<{ under_way: number }>`
    select count(*) as under_way from campaigns s where ${own} and s.status in ('creating', 'running')
  `.execute(ctx.db);
  const data = inOrderOf(ids, await findCampaignRecords(ctx, ids)).map((row) => presentCampaignFor(ctx, row));
  return { data, ...place, under_way: rows[0]?.under_way ?? 0 };
}
