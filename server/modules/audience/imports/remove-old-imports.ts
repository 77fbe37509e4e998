import type { Context } from '#server/context.ts';

/** A file is kept this long after its last use. */
const keptMs = 7 * 24 * 60 * 60_000;

/** An upload that has not ended by now was cut off with its process. */
const uploadMs = 24 * 60 * 60_000;

/** Forgets files that nobody works with any more. */
export async function removeOldImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime();
  // account-wide: time alone decides, whosever they are.
  await ctx.db
    .deleteFrom('profile_imports')
    .where(({ and, eb, or }) =>
      or([
        and([
          eb('status', 'not in', ['uploading', 'checking', 'importing']),
          eb('worked_at', '<', new Date(now - keptMs)),
        ]),
        and([eb('status', '=', 'uploading'), eb('worked_at', '<', new Date(now - uploadMs))]),
      ]),
    )
    .execute();
}
