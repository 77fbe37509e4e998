import type { Context } from '#server/context.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { bulkActionsChannel } from './channels.ts';
import type { BulkRecord } from './record.ts';
import { workOnBulkAction } from './work-on-bulk-action.ts';

/** Soon after a delay is over: nothing notifies of that. */
const pollMs = 3_000;

/** For one part. */
const failsAfterMs = 2 * 60_000;

/** An action that breaks off so often is failed. */
const maxFaults = 3;

/** Works on bulk actions; another process, or the next start, goes on after a part that is done. */
export function createBulkActionRunner(ctx: Context): Service {
  const faults = new Map<number, number>();

  async function noteFault(record: BulkRecord, fault: unknown): Promise<void> {
    ctx.logger.error({ err: fault, bulkActionId: record.id }, 'a bulk action broke off');
    const count = (faults.get(record.id) ?? 0) + 1;
    faults.set(record.id, count);
    if (count >= maxFaults) await failAction(ctx, record);
  }

  return createPolledService(ctx, {
    name: 'bulk-actions',
    channels: [bulkActionsChannel],
    pollMs,
    failsAfterMs,
    async work({ isStopped, task }) {
      while (!isStopped()) {
        const startedAt = performance.now();
        const done = await workOnBulkAction(ctx);
        if (!done) return;
        // The action is not to blame: it goes on when the database is back.
        if (isTransient(done.fault)) throw done.fault;
        task.succeeded(startedAt);
        if (done.fault === undefined) faults.delete(done.record.id);
        else await noteFault(done.record, done.fault);
      }
    },
  });
}

async function failAction(ctx: Context, record: BulkRecord): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .updateTable('bulk_actions')
    .set({
      status: 'failed',
      error: `Something went wrong on our side after ${record.done_count} of them. What is done stays.`,
      finished_at: now,
      worked_at: now,
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}
