import type { AccountContext } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { retryWebhook } from './retry-webhook.ts';

/** Records of one call; the rest is for the next. */
const mostOfACall = 1_000;

type Requeued = { requeued: number; refused: number; isMoreLeft: boolean };

/**
 * Makes records that failed since then due again, oldest first, as their owner's Retry does; of one project where it is
 * given. `refused`: their endpoint takes nothing.
 */
export async function requeueWebhooks(
  ctx: AccountContext,
  { projectId, since }: { projectId?: number | undefined; since: Date },
): Promise<Requeued> {
  const rows = await ctx.db
    .selectFrom('webhook_records')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('status', '=', 'failed')
    .where('created_at', '>=', since)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .orderBy('id')
    .limit(mostOfACall + 1)
    .execute();
  let refused = 0;
  const chosen = rows.slice(0, mostOfACall);
  for (const { id } of chosen) {
    try {
      await retryWebhook(ctx, { webhookId: id });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      refused += 1;
    }
  }
  return { requeued: chosen.length - refused, refused, isMoreLeft: rows.length > mostOfACall };
}
