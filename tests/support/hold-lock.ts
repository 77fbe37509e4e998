import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';

/** Holds what the statement locks until the test ends, as a database that hangs does; answers how to let go before. */
export async function holdLock(
  pool: Pool,
  statement: string,
  values: readonly unknown[] = [],
): Promise<() => Promise<void>> {
  const locker = await pool.connect();
  await locker.query('begin');
  await locker.query('set local idle_in_transaction_session_timeout = 0');
  await locker.query(statement, [...values]);
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    await locker.query('rollback');
    locker.release();
  };
  onTestFinished(release);
  return release;
}
