import type { Context, Tx } from '#server/context.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { forbiddenUrlReason } from './sending/address-policy.ts';

/** Refuses a URL that may not be saved, on the field that carries it. */
export function checkWebhookUrl(ctx: Pick<Tx, 'config'>, url: string | null | undefined): void {
  if (url === null || url === undefined) return;
  const message = forbiddenUrlReason(url, ctx.config.areWebhooksToPrivateAddressesAllowed);
  if (message !== undefined) throw new InvalidInputError([{ path: 'webhook_url', message }]);
}

/** The URL that a project has now. */
export async function requireWebhookUrl(
  ctx: Context,
  owner: { accountId: number; projectId: number },
): Promise<string> {
  const project = await ctx.db
    .selectFrom('projects')
    .select(['webhook_url', 'webhook_disabled_at'])
    .where('account_id', '=', owner.accountId)
    .where('id', '=', owner.projectId)
    .executeTakeFirst();
  if (!project) throw new NotFoundError('Project');
  if (project.webhook_url === null) {
    throw new ConflictError('no_webhook_url', 'The project has no webhook URL. Enter one first.');
  }
  if (project.webhook_disabled_at !== null) {
    throw new ConflictError('webhook_disabled', 'The webhook URL was switched off. Save it again to switch it on.');
  }
  return project.webhook_url;
}
