import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { runInBackground } from '#server/modules/identity/users/index.ts';

/** A use more or less within a minute says nothing more. */
const noteEveryMs = 60_000;

type KeyUse = { account_id: number; project_id: number; key_id: number | null; last_used_at: Date | null };

/** Writes down that keys were used, behind the answer; each key once a minute, whatever the number of requests. */
export function noteKeyUses(ctx: Context, uses: readonly KeyUse[]): void {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - noteEveryMs);
  const due = uses.filter(({ last_used_at: at }) => at === null || at < since);
  if (due.length === 0) return;
  runInBackground(ctx, async () => {
    const authKeys = due.filter(({ key_id }) => key_id === null);
    const others = due.filter(({ key_id }) => key_id !== null);
    if (authKeys.length > 0) {
      await sql`
        update projects p set auth_key_used_at = ${now}
          from unnest(${authKeys.map((use) => use.account_id)}::bigint[],
                      ${authKeys.map((use) => use.project_id)}::bigint[]) as x (account_id, id)
         where p.account_id = x.account_id and p.id = x.id
           and (p.auth_key_used_at is null or p.auth_key_used_at < ${since})
      `.execute(ctx.db);
    }
    if (others.length > 0) {
      await sql`
        update project_keys k set last_used_at = ${now}
          from unnest(${others.map((use) => use.account_id)}::bigint[],
                      ${others.map((use) => use.key_id)}::bigint[]) as x (account_id, id)
         where k.account_id = x.account_id and k.id = x.id
           and (k.last_used_at is null or k.last_used_at < ${since})
      `.execute(ctx.db);
    }
  });
}
