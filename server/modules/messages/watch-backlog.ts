import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';

const pollMs = 15_000;
const failsAfterMs = 60_000;

/** Measures how long the oldest message waits to be sent, over all accounts, for whoever watches the metrics. */
export function createBacklogWatch(ctx: Context): Service {
  const health = createHealth({ service: 'backlog', logger: ctx.logger });
  let oldestAt: Date | undefined;
  const runner = createRunner(
    async () => {
      oldestAt = await findOldestWaiting(ctx);
    },
    health.task('backlog', { failsAfterMs }),
  );
  health.gauge({
    name: 'dovepost_oldest_waiting_seconds',
    help: 'Age of the oldest that waits, by kind',
    labels: { kind: 'message' },
    read: () => (oldestAt ? Math.max(0, ctx.clock.now().getTime() - oldestAt.getTime()) / 1000 : 0),
  });
  const polling = createPolling(ctx.listener, { channels: {}, pollMs, poll: runner.request });
  return {
    name: 'backlog',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      await runner.stop();
    },
  };
}

// account-wide: the figure is the operator's. One look into the index of what waits for each phone.
async function findOldestWaiting(ctx: Context): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(m.created_at) as at
      from phones p
     cross join lateral (
       select created_at from messages where phone_id = p.id and status = 'pending' order by id limit 1
     ) m
  `.execute(ctx.db);
  return rows[0]?.at ?? undefined;
}
