import type { Context } from '#server/context.ts';

/** Longer than the 90 days that can be asked for. */
const keptMs = 100 * 24 * 60 * 60_000;

/** Forgets counts that nobody can ask for any more. */
export async function removeOldCounts(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await ctx.db
    .deleteFrom('message_counts')
    .where('quarter_hour', '<', new Date(ctx.clock.now().getTime() - keptMs))
    .execute();
}
