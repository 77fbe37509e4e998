import type pg from 'pg';
import { expect } from 'vitest';

/** Resolves once one transaction of this database waits for a lock that another has. */
export async function untilSomebodyWaits(pool: pg.Pool): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await pool.query<{ count: number }>(waiting)).rows).toEqual([{ count: 1 }]);
}
