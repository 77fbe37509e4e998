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
  const now = ctx.clock.now();
  const windowStart = new Date(now.getTime() - limit.windowMs);
  const taken = await sql`
    insert into sign_in_attempts as known (key, failures, last_failed_at) values (${key}, 1, ${now})
    on conflict (key) do update
      set failures = case when known.last_failed_at <= ${windowStart} then 1 else known.failures + 1 end,
          last_failed_at = excluded.last_failed_at
      where known.failures < ${limit.max} or known.last_failed_at <= ${windowStart}
    returning failures
  `.execute(ctx.db);
  if (taken.rows.length > 0) return undefined;
  const known = await ctx.db
    .selectFrom('sign_in_attempts')
    .select('last_failed_at')
    .where('key', '=', key)
    .executeTakeFirst();
  const waitMs = (known?.last_failed_at ?? now).getTime() + limit.windowMs - now.getTime();
  return Math.ceil(waitMs / 1000);
}

export async function forgetAttempts(ctx: Context, key: string): Promise<void> {
  await ctx.db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
}
