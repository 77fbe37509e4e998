import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Longer than the 90 days that can be asked for. */
const keptMs = 100 * 24 * 60 * 60_000;

/** Forgets counts that nobody can ask for any more. */
export async function removeOldCounts(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  // account-wide: time alone decides, whosever they are.
  await ctx.db.deleteFrom('message_counts').where('quarter_hour', '<', before).execute();
  await sql`delete from template_counts where day < (${before}::timestamptz at time zone 'UTC')::date`.execute(ctx.db);
}
