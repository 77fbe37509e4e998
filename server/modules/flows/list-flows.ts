import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listFlows as contract } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { presentFlow } from './present.ts';
import { findFlowRows, ofOwnProject } from './queries.ts';

type ListFlows = EndpointInput<typeof contract>['query'];

const keys: Record<ListFlows['sort'], ListKey> = {
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  last_run: { by: sql`coalesce(s.last_run_at, '-infinity')`, type: 'timestamptz', first: 'desc' },
};

export async function listFlows(ctx: AccountContext, input: ListFlows): Promise<EndpointResponse<typeof contract>> {
  const where = sql`s.account_id = ${ctx.account.id} and ${ofOwnProject(ctx)}
    and ${hasWords(sql`s.name`, input.search ?? '')}
    and ${input.active === undefined ? sql`true` : sql`s.is_active = ${input.active === 'true'}`}
    and ${input.project_id === undefined ? sql`true` : sql`s.project_id = ${input.project_id}`}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'flows', where, key: keys[input.sort], input });
  return { data: inOrderOf(ids, await findFlowRows(ctx, ids)).map(presentFlow), ...place };
}
