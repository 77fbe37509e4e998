import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { isUnsent } from '#server/unsent.ts';

const pollMs = 15_000;
const failsAfterMs = 60_000;

/** Measures how long the oldest message waits to be sent, over all accounts, for whoever watches the metrics. */
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

// account-wide: the figure is the operator's. A single look into the index of each phone's waiting messages.
async function findOldestWaiting(ctx: Context): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(m.created_at) as at
      from phones p
     cross join lateral (
       select created_at from messages where phone_id = p.id and status = 'pending' and ${isUnsent()}
        order by id limit 1
     ) m
  `.execute(ctx.db);
  return rows[0]?.at ?? undefined;
}
