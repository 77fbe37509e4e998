import type { AccountContext, Tx } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { EndpointRow, LiveEndpoint } from '../require-live-endpoint.ts';

type EndpointKey = { projectId: number; endpointId: number };

/** The endpoint, locked until the transaction ends. */
export async function lockEndpoint(tx: Tx<AccountContext>, key: EndpointKey): Promise<LiveEndpoint> {
  return requireUrl(await ofProject(tx, key.projectId).where('id', '=', key.endpointId).forUpdate().executeTakeFirst());
}

/** The ids under which an endpoint's records stand. */
export async function queueIdOf(ctx: AccountContext, key: EndpointKey): Promise<number> {
  const row = await ofProject(ctx, key.projectId).where('id', '=', key.endpointId).executeTakeFirst();
  return requireUrl(row).queue_id;
}

/** The project's first one first; one without a URL is none. */
export async function findEndpoints(ctx: AccountContext, projectId: number): Promise<LiveEndpoint[]> {
  const rows = await ofProject(ctx, projectId).orderBy('is_first', 'desc').orderBy('id').execute();
  return rows.flatMap((row) => (row.url === null ? [] : [{ ...row, url: row.url }]));
}

const ofProject = (ctx: AccountContext, projectId: number) =>
  ctx.db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', projectId)
    .where(inScope(ctx));

function requireUrl(row: EndpointRow | undefined): LiveEndpoint {
  if (!row || row.url === null) throw new NotFoundError('Webhook endpoint');
  return { ...row, url: row.url };
}
