import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';

const keptMs = 7 * 24 * 60 * 60_000;
/** The rest is left for the next round. */
const mostAtOnce = 50;

/**
 * Deletes drafts that nobody has started for a week, and what is left of uploads that broke off. Each takes its rows with
 * it, and goes by itself: one that takes too long holds up none of the others.
 */
export async function removeOldDrafts(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  const drafts = await ctx.db
    .selectFrom('bulk_runs')
    .select(['account_id', 'id'])
    .where('status', '=', 'draft')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(mostAtOnce)
    .execute();
  for (const { account_id: accountId, id } of drafts) {
    try {
      await inTransaction(ctx, async (tx) => {
        await setStatementTimeout(tx.db, longStatementMs);
        await tx.db
          .deleteFrom('bulk_runs')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('status', '=', 'draft')
          .execute();
      });
    } catch (error) {
      ctx.logger.warn({ err: error, accountId, runId: id }, 'an old draft of a bulk run could not be deleted');
    }
  }
}
