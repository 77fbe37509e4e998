import type { Context } from '#server/context.ts';
import { undoableMs } from './record.ts';

/** Forgets what can be undone no more. */
export async function removeOldBulkActions(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await ctx.db
    .deleteFrom('bulk_actions')
    .where('status', 'not in', ['working', 'undoing'])
    .where('worked_at', '<', new Date(ctx.clock.now().getTime() - undoableMs))
    .execute();
}
