import type { WebhookChange } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { changeProject } from './change-project.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import type { ProjectRow } from './tables.ts';

type UpdateProjectWebhook = WebhookChange & { projectId: number };

/** Null removes it. What waits is sent to the new one, and one that was switched off is on again. */
export async function updateProjectWebhook(ctx: AccountContext, input: UpdateProjectWebhook): Promise<ProjectRow> {
  checkWebhookUrl(ctx, input.webhook_url);
  return changeProject(ctx, input.projectId, {
    webhook_url: input.webhook_url,
    webhook_failing_since: null,
    webhook_disabled_at: null,
    webhook_disabled_reason: null,
  });
}
