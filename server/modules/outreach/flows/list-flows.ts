import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listFlows as contract } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { notLeaving } from '#server/not-leaving.ts';
import { inScope } from '#server/scope.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { presentFlow } from './present.ts';
import { findFlowRows } from './queries.ts';

type ListFlows = EndpointInput<typeof contract>['query'];

const keys: Record<ListFlows['sort'], ListKey> = {
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  last_run: { by: sql`coalesce(s.last_run_at, '-infinity')`, type: 'timestamptz', first: 'desc' },
};

type Filter = Partial<Pick<ListFlows, 'search' | 'active' | 'project_id'>>;

/** Over rows `s`, which the statement narrows to the account itself. */
export function flowFilter(filter: Filter): RawBuilder<unknown> {
  return sql`${hasWords(sql`s.name`, filter.search ?? '')}
    and ${filter.active === undefined ? sql`true` : sql`s.is_active = ${filter.active === 'true'}`}
    and ${filter.project_id === undefined ? sql`true` : sql`s.project_id = ${filter.project_id}`}`;
}

export async function listFlows(ctx: AccountContext, input: ListFlows): Promise<EndpointResponse<typeof contract>> {
  const own = sql`s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')}`;
  const where = sql`${own} and ${flowFilter(input)} and ${notLeaving(ctx, 'flows')}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'flows', where, key: keys[input.sort], input });
  return { data: inOrderOf(ids, await findFlowRows(ctx, ids)).map(presentFlow), ...place };
}
