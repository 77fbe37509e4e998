import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';

/** Watches for statements that wait long for another's lock. */
export type LockWatch = { lately(): readonly string[]; stop(): Promise<void> };

const everyMs = 1_000;
const longWait = '2 seconds';
const kept = 20;

const longWaits = `
  select waiting.pid || ' waited in ' || left(regexp_replace(waiting.query, '[[:space:]]+', ' ', 'g'), 160)
         || ' for ' || blocking.pid || ', ' || blocking.state || ' for ' || clock_timestamp() - blocking.state_change
         || ' in ' || left(regexp_replace(blocking.query, '[[:space:]]+', ' ', 'g'), 160) as wait
    from pg_stat_activity waiting, unnest(pg_blocking_pids(waiting.pid)) as blocker (pid)
    join pg_stat_activity blocking on blocking.pid = blocker.pid
   where waiting.wait_event_type = 'Lock' and waiting.query_start < clock_timestamp() - $1::interval`;

/** Looks at them as the storm goes on; a wait that ended in a refusal is not to be seen in the database afterwards. */
export function watchLocks({ pool }: Cluster): LockWatch {
  const ending = new AbortController();
  const waits: string[] = [];
  async function look(): Promise<void> {
    while (!ending.signal.aborted) {
      // While the database is away nothing waits in it.
      const { rows } = await pool.query<{ wait: string }>(longWaits, [longWait]).catch(() => ({ rows: [] }));
      waits.push(...rows.map(({ wait }) => `${new Date().toISOString()} ${wait}`));
      waits.splice(0, waits.length - kept);
      await delay(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }
  const looking = look();
  return {
    lately: () => waits,
    async stop() {
      ending.abort();
      await looking;
    },
  };
}
