import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

export type AttemptLimit = { max: number; windowMs: number };

/** Every key is kept as a hash: people type passwords into the wrong field. */
export function attemptKey(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * Counts an attempt before it is made, in one statement, so that a burst over many connections and processes gets no
 * further than one after the other would. Resolves to the seconds to wait when there is none left, which is not
 * counted. The count starts anew a window after the last one.
 */
export async function takeAttempt(ctx: Context, key: string, limit: AttemptLimit): Promise<number | undefined> {
  const taken = await countAttempt(ctx, key, limit);
  return taken.isLeft ? undefined : taken.waitSeconds;
}

type Counted = { isLeft: true; isLast: boolean } | { isLeft: false; waitSeconds: number };

/** The same; `isLast` says that the next one has to wait. */
export async function countAttempt(ctx: Context, key: string, limit: AttemptLimit): Promise<Counted> {
  const now = ctx.clock.now();
  const windowStart = new Date(now.getTime() - limit.windowMs);
  const taken = await sql<{ failures: number }>`
    insert into sign_in_attempts as known (key, failures, last_failed_at) values (${key}, 1, ${now})
    on conflict (key) do update
      set failures = case when known.last_failed_at <= ${windowStart} then 1 else known.failures + 1 end,
          last_failed_at = excluded.last_failed_at
      where known.failures < ${limit.max} or known.last_failed_at <= ${windowStart}
    returning failures
  `.execute(ctx.db);
  const [counted] = taken.rows;
  if (counted) return { isLeft: true, isLast: counted.failures >= limit.max };
  return { isLeft: false, waitSeconds: (await secondsToWait(ctx, key, limit)) ?? 1 };
}

/** Without counting: the seconds to wait when no attempt is left. */
export async function secondsToWait(ctx: Context, key: string, limit: AttemptLimit): Promise<number | undefined> {
  const now = ctx.clock.now();
  const known = await ctx.db
    .selectFrom('sign_in_attempts')
    .select('last_failed_at')
    .where('key', '=', key)
    .where('failures', '>=', limit.max)
    .where('last_failed_at', '>', new Date(now.getTime() - limit.windowMs))
    .executeTakeFirst();
  return known && Math.ceil((known.last_failed_at.getTime() + limit.windowMs - now.getTime()) / 1000);
}

/** Gives one attempt back that was counted and is none. */
export async function returnAttempt(ctx: Context, key: string): Promise<void> {
  await ctx.db
    .updateTable('sign_in_attempts')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

export async function forgetAttempts(ctx: Context, key: string): Promise<void> {
  await ctx.db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
}
