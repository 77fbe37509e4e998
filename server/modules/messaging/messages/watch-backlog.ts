import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { Context } from '#server/context.ts';
import { isHeld } from '#server/modules/numbers/phones/index.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { isUnsent } from '#server/unsent.ts';

const pollMs = 15_000;
const failsAfterMs = 60_000;

/** Measures how long the oldest message waits that could be sent, over all accounts, for whoever watches the metrics. */
export function createBacklogWatch(ctx: Context): Service {
  let oldestAt: Date | undefined;
  return createPolledService(ctx, {
    name: 'backlog',
    pollMs,
    failsAfterMs,
    gauges: [
      {
        name: 'dovepost_oldest_waiting_seconds',
        help: 'Age of the oldest that waits, by kind',
        labels: { kind: 'message' },
        read: () => (oldestAt ? Math.max(0, ctx.clock.now().getTime() - oldestAt.getTime()) / 1000 : 0),
      },
    ],
    async work() {
      oldestAt = await findOldestWaiting(ctx);
    },
  });
}

/** A phone that lost its line counts for so long: all of them together may be the operator's own line. */
const lostForMs = 60 * 60_000;

/**
 * Since when the oldest message waits that nothing but the product holds back: not the account's access, a phone that its
 * owner left disconnected or that its network stops, the pace of queued messages, or a time to try it again.
 */
// account-wide: the figure is the operator's. A single look into the index of each phone's waiting messages.
async function findOldestWaiting(ctx: Context): Promise<Date | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ at: Date | null }>`
    select min(m.created_at) as at
      from phones p
      join accounts a on a.id = p.account_id and ${hasAccessAt(now, 'a')}
      left join phone_health h on h.account_id = p.account_id and h.phone_id = p.id
     cross join lateral (
       select greatest(w.due_at, w.created_at) as created_at from messages w
        where w.phone_id = p.id and w.status = 'pending' and ${isUnsent('w')}
          and (w.retry_at is null or w.retry_at <= ${now})
          and not (coalesce(h.is_protected, false) and w.is_queued is true)
        order by w.id limit 1
     ) m
     where p.wanted = 'online'
       and (p.status = 'connected'
            or (p.status = 'disconnected' and p.status_changed_at > ${new Date(now.getTime() - lostForMs)}))
       and coalesce(greatest(h.all_stopped_until, h.first_stopped_until) <= ${now}, true)
       and not ${isHeld(sql`p.id`, 'all', now)}
  `.execute(ctx.db);
  return rows[0]?.at ?? undefined;
}
