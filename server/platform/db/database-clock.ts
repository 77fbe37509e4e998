import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import type { Clock } from '#server/platform/clock.ts';

/** The database's clock, as well as a process can know it. */
export type DatabaseClock = Clock & {
  /** Asks the database for its time; `ask` answers `clock_timestamp()`. */
  read(ask: () => Promise<Date>): Promise<void>;
};

/** A clock that was corrected by less stands still meanwhile; one that was set back further is followed at once. */
const standsStillMs = 1_000;

/**
 * All processes of a database share its clock, however the clocks of their machines are set: what they write can be
 * compared. Between two readings the time goes on by the process's monotonic clock, which nobody sets. A reading tells
 * between which two differences the true one lies, and the known one is moved no further than into that range.
 */
export function createDatabaseClock(monotonicMs: () => number = () => performance.now()): DatabaseClock {
  // Before the first reading the machine's clock has to do.
  let differenceMs = Date.now() - monotonicMs();
  let isRead = false;
  let latestMs = 0;
  return {
    now() {
      const nowMs = Math.floor(monotonicMs() + differenceMs);
      const isCorrected = nowMs < latestMs && latestMs - nowMs < standsStillMs;
      latestMs = isCorrected ? latestMs : nowMs;
      return new Date(latestMs);
    },
    async read(ask) {
      const askedAtMs = monotonicMs();
      const time = (await ask()).getTime();
      const smallest = time - monotonicMs();
      // The time comes in whole milliseconds, cut off.
      const largest = time + 1 - askedAtMs;
      const nearest = Math.min(Math.max(differenceMs, smallest), largest);
      differenceMs = isRead ? nearest : (smallest + largest) / 2;
      isRead = true;
    },
  };
}

export async function databaseTime(db: QueryExecutorProvider): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.now;
}
