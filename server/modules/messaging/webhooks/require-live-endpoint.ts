import type { Selectable } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import type { WebhookEndpointsTable } from './tables.ts';

export type EndpointRow = Selectable<WebhookEndpointsTable>;

/** Something can be sent to it. */
export type LiveEndpoint = EndpointRow & { url: string };

/** An endpoint of the caller's project that takes deliveries, by its queue; without one the project's first. */
export async function requireLiveEndpoint(
  ctx: AccountContext,
  { projectId, queueId = -projectId }: { projectId: number; queueId?: number | undefined },
): Promise<LiveEndpoint> {
  await getProject(ctx, projectId);
  const row = await ctx.db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('queue_id', '=', queueId)
    .executeTakeFirst();
  if (!row || row.url === null) {
    throw new ConflictError('no_webhook_url', 'The project has no webhook URL. Enter one first.');
  }
  if (row.disabled_at !== null) {
    throw new ConflictError('webhook_disabled', 'The webhook URL was switched off. Save it again to switch it on.');
  }
  return { ...row, url: row.url };
}
