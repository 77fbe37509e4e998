import type { Context } from '#server/context.ts';
import { findKeptDays } from '#server/modules/identity/accounts/index.ts';
import { removeConversationsBefore } from '#server/modules/messaging/conversations/index.ts';
import { removeMessagesBefore } from '#server/modules/messaging/messages/index.ts';
import { removeWebhooksBefore } from '#server/modules/messaging/webhooks/index.ts';

const dayMs = 86_400_000;
const defaults = {
  /** Rows of one statement. */
  sliceRows: 500,
  /** The rest is left for the next round. */
  roundMs: 60_000,
};

/**
 * Deletes messages and webhook records of accounts that chose how long theirs are kept: a slice of each account in turn,
 * until nobody has any left, so that one with millions holds up none of the others.
 */
export async function removeExpiredRecords(ctx: Context, overrides: Partial<typeof defaults> = {}): Promise<void> {
  const { sliceRows, roundMs } = { ...defaults, ...overrides };
  const endsAt = performance.now() + roundMs;
  let accounts = await findKeptDays(ctx);
  while (accounts.length > 0) {
    const unfinished: typeof accounts = [];
    for (const account of accounts) {
      if (performance.now() > endsAt) return;
      const slice = {
        accountId: account.id,
        before: new Date(ctx.clock.now().getTime() - account.days * dayMs),
        limit: sliceRows,
      };
      const removed = [
        await removeMessagesBefore(ctx, slice),
        await removeConversationsBefore(ctx, slice),
        await removeWebhooksBefore(ctx, slice),
      ];
      if (removed.some((count) => count >= sliceRows)) unfinished.push(account);
    }
    accounts = unfinished;
  }
}
