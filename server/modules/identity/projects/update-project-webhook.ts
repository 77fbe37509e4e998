import type { WebhookChange } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { recordDestinationChange } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { changeProject } from './change-project.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import { getProject } from './get-project.ts';
import type { ProjectRow } from './tables.ts';

type UpdateProjectWebhook = WebhookChange & { projectId: number; origin: Origin };

/** Null removes it. Waiting events are sent to the new URL, and a disabled endpoint is enabled again. */
export async function updateProjectWebhook(ctx: AccountContext, input: UpdateProjectWebhook): Promise<ProjectRow> {
  const { projectId, webhook_url: url, origin } = input;
  checkWebhookUrl(ctx, url);
  return inTransaction(ctx, async (tx) => {
    const before = await getProject(tx, projectId);
    const project = await changeProject(tx, projectId, {
      webhook_url: url,
      webhook_failing_since: null,
      webhook_disabled_at: null,
      webhook_disabled_reason: null,
    });
    if (url !== before.webhook_url) await recordUrlChange(tx, { from: before.webhook_url, to: url, origin });
    return project;
  });
}

type UrlChange = { from: string | null; to: string | null; origin: Origin };

/** Null is no endpoint: before it was added, or after it was removed. */
export async function recordUrlChange(ctx: AccountContext, { from, to, origin }: UrlChange): Promise<void> {
  const change = from === null ? 'added' : to === null ? 'deleted' : 'changed';
  await recordDestinationChange(ctx, { type: `webhook_endpoint_${change}`, origin, detail: to ?? from ?? '' });
}
