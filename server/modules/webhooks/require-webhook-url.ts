import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/projects/index.ts';
import { ConflictError } from '#server/platform/errors.ts';

/** The URL that the caller's project has now. */
export async function requireWebhookUrl(ctx: AccountContext, projectId: number): Promise<string> {
  const project = await getProject(ctx, projectId);
  if (project.webhook_url === null) {
    throw new ConflictError('no_webhook_url', 'The project has no webhook URL. Enter one first.');
  }
  if (project.webhook_disabled_at !== null) {
    throw new ConflictError('webhook_disabled', 'The webhook URL was switched off. Save it again to switch it on.');
  }
  return project.webhook_url;
}
