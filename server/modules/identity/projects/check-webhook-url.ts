import type { Context } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';

/** Refuses a URL that may not be saved, on the field that carries it. */
export function checkWebhookUrl(
  ctx: Pick<Context, 'config'>,
  url: string | null | undefined,
  path = 'webhook_url',
): void {
  if (url === null || url === undefined) return;
  const message = forbiddenUrlReason(url, ctx.config.areWebhooksToPrivateAddressesAllowed);
  if (message !== undefined) throw new InvalidInputError([{ path, message }]);
}
