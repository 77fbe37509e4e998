import type { WebhookHealth } from '#contracts/webhooks.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { webhookHealth } from './webhook-health.ts';

/** As far back as the records are read: what it costs is bounded, however many there are. */
const readRecords = 100;

/** Deliveries to an earlier URL say nothing about the one of today. */
export async function getWebhookHealth(ctx: AccountContext, input: { projectId: number }): Promise<WebhookHealth> {
  const project = await getProject(ctx, input.projectId);
  if (project.webhook_url === null) return webhookHealth([]);
  const newest = await ctx.db
    .selectFrom('webhook_records')
    .select(['url', 'status', 'error', 'attempts', 'created_at'])
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', input.projectId)
    .orderBy('id', 'desc')
    .limit(readRecords)
    .execute();
  return webhookHealth(newest.filter(({ url }) => url === project.webhook_url));
}
