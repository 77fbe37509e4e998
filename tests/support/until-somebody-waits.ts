import type pg from 'pg';
import { expect } from 'vitest';

/** Resolves once so many transactions of this database wait for a lock that another has. */
export async function untilSomebodyWaits(pool: pg.Pool, count = 1): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await pool.query<{ count: number }>(waiting)).rows).toEqual([{ count }]);
}
