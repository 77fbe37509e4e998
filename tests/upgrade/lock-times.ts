import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const sampledEveryMs = 20;

/** Modes that keep readers or writers of a table waiting. */
const blocking = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

export type HeldLock = { table: string; mode: string; ms: number };

/** Watches the tables that exist now; `stop` answers how long each lock was held that keeps their users waiting. */
export async function watchLocks(pool: pg.Pool): Promise<{ stop(): Promise<HeldLock[]> }> {
  const client = await pool.connect();
  const { rows } = await client.query<{ id: number }>(
    `select oid::int as id from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const tables = rows.map(({ id }) => id);
  const held = new Map<string, HeldLock & { from: number }>();
  let isStopped = false;

  async function watch(): Promise<void> {
    while (!isStopped) {
      const { rows: locks } = await client.query<{ key: string; table: string; mode: string }>(
        `select l.virtualtransaction || ' ' || l.relation || ' ' || l.mode as key, l.relation::regclass::text as table, l.mode
           from pg_locks l join pg_stat_activity a using (pid)
          where l.granted and l.relation = any ($1) and l.mode = any ($2) and a.backend_type = 'client backend'`,
        [tables, blocking],
      );
      const now = performance.now();
      for (const { key, table, mode } of locks) {
        const known = held.get(key);
        if (known) known.ms = now - known.from;
        else held.set(key, { table, mode, from: now, ms: 0 });
      }
      await delay(sampledEveryMs);
    }
  }

  const watching = watch();
  return {
    async stop() {
      isStopped = true;
      await watching;
      client.release();
      return [...held.values()]
        .map(({ table, mode, ms }) => ({ table, mode, ms: Math.round(ms) }))
        .toSorted((one, other) => other.ms - one.ms);
    },
  };
}
