import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export type DatabaseProbe = {
  /** Whether the database answers in time. */
  answers(): Promise<boolean>;
};

/** Readiness checks answer within a few seconds. */
const patienceMs = 4_000;

/** However many ask, one connection at the most waits for a database that says nothing. */
export function createDatabaseProbe<Tables>(db: Kysely<Tables>): DatabaseProbe {
  let asking: Promise<boolean> | undefined;

  async function ask(): Promise<boolean> {
    try {
      await sql`select 1`.execute(db);
      return true;
    } catch {
      return false;
    } finally {
      asking = undefined;
    }
  }

  return {
    async answers() {
      const answered = new AbortController();
      const tooLate = delay(patienceMs, false, { signal: answered.signal }).catch(() => false);
      asking ??= ask();
      const result = await Promise.race([asking, tooLate]);
      answered.abort();
      return result;
    },
  };
}
