import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import type { Logger } from '#server/platform/logger.ts';
import type { Reading } from '#server/platform/service.ts';
import { isDatabaseUnavailable } from './errors.ts';

/**
 * A standby that takes costly reads, used where it has all that is committed when a read begins, whichever process
 * committed it: so nobody misses what they have just written, or what live news told of.
 */
export type ReadReplica = {
  pool: PostgresPool;
  /** Whether the next read may go there. Waits for a moment for a standby that is nearly there. */
  isCurrent(): Promise<boolean>;
  /** Whether the primary can answer what failed there. */
  isFault(error: unknown): boolean;
  readings(): Reading[];
};

/** A read waits no longer than this for the standby; after that the primary answers. */
const latestMs = 150;
const retryMs = 10;
/** A standby that says nothing for so long is away. */
const answerMs = 500;
/** Nobody waits for one that was late, or is looked for again, before this. */
const afterLateMs = 1_000;
const afterAwayMs = 3_000;

type Why = 'current' | 'late' | 'away';

const faultCodes: ReadonlySet<unknown> = new Set([
  // Cancelled for what the primary has cleared away meanwhile; or locks, modes and functions that no standby has.
  '40001',
  '40P01',
  '55000',
  '0A000',
]);

type Parts<Tables> = { primary: Kysely<Tables>; standby: Kysely<Tables>; pool: PostgresPool; logger: Logger };

export function createReadReplica<Tables>({ primary, standby, pool, logger }: Parts<Tables>): ReadReplica {
  let restUntil = 0;
  let isAway = false;
  let isAsking = false;
  let behindBytes = 0;
  const chosen: Record<Why, number> = { current: 0, late: 0, away: 0 };

  function rest(why: 'late' | 'away', error?: unknown): Why {
    restUntil = performance.now() + (why === 'late' ? afterLateMs : afterAwayMs);
    const fault = error instanceof Error ? error.message : String(error);
    if (why === 'away' && !isAway) logger.warn({ fault }, 'the read replica is away; the primary answers');
    isAway = why === 'away';
    return why;
  }

  /** Where the primary is: all that has committed stands before it. Undefined where it does not answer either. */
  async function readPosition(): Promise<string | undefined> {
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`.execute(primary);
    return rows[0]?.lsn;
  }

  async function compare(position: string): Promise<Why> {
    const deadline = performance.now() + latestMs;
    for (;;) {
      const { rows } = await sql<{ behind: number | null }>`
        select case when pg_is_in_recovery()
                    then pg_wal_lsn_diff(${position}::pg_lsn, pg_last_wal_replay_lsn())::float end as behind
      `.execute(standby);
      const behind = rows[0]?.behind ?? undefined;
      if (behind === undefined) throw new Error('DATABASE_READ_URL leads to no standby');
      behindBytes = Math.max(0, behind);
      if (behind <= 0) return 'current';
      if (performance.now() >= deadline) return 'late';
      await delay(retryMs);
    }
  }

  async function ask(): Promise<Why> {
    const position = await readPosition().catch(() => undefined);
    if (position === undefined) return 'away';
    const answered = new AbortController();
    const silence = delay(answerMs + latestMs, undefined, { signal: answered.signal }).then(
      () => {
        throw new Error('it does not answer');
      },
      () => 'away' as const,
    );
    try {
      const why = await Promise.race([compare(position), silence]);
      if (why === 'late') return rest(why);
      if (isAway) logger.info('the read replica is back');
      isAway = false;
      return why;
    } catch (error) {
      return rest('away', error);
    } finally {
      answered.abort();
    }
  }

  async function choose(): Promise<Why> {
    if (performance.now() < restUntil) return isAway ? 'away' : 'late';
    if (!isAway) return ask();
    // Looked for behind the reads, which the primary answers meanwhile.
    if (!isAsking) {
      isAsking = true;
      void ask().finally(() => (isAsking = false));
    }
    return 'away';
  }

  return {
    pool,
    async isCurrent() {
      const why = await choose();
      chosen[why] += 1;
      return why === 'current';
    },
    isFault(error) {
      const isUnavailable = isDatabaseUnavailable(error);
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
      // A statement that writes was led here by mistake, and says nothing of the standby.
      if (isUnavailable && code !== '25006') rest('away', error);
      return isUnavailable || faultCodes.has(code);
    },
    readings() {
      return [
        ...Object.entries(chosen).map(([why, value]) => ({
          name: 'dovepost_replica_reads',
          help: 'Reads since the start by where they went: the standby was current, or late or away and the primary answered',
          labels: { standby: why },
          value,
        })),
        {
          name: 'dovepost_replica_behind_bytes',
          help: 'How far the standby was behind when a read last asked',
          value: behindBytes,
        },
        {
          name: 'dovepost_replica_up',
          help: '1 while the standby answers, as far as reads know',
          value: isAway ? 0 : 1,
        },
      ];
    },
  };
}

/** Connections to the standby for a long read, such as an export: from a failure of its own on to the primary. */
export function withFallback({ pool, isFault }: ReadReplica, primary: PostgresPool): PostgresPool {
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (!isFault(error)) throw error;
    hasFailed = true;
  };
  return {
    async connect() {
      if (hasFailed) return primary.connect();
      const first = await pool.connect().catch(failed);
      return first ? fallingBack(first, { primary, failed }) : primary.connect();
    },
    end: () => Promise.resolve(),
  };
}

type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<{ command: string; rowCount: number; rows: never[] }>;

function fallingBack(
  first: PostgresPoolClient,
  { primary, failed }: { primary: PostgresPool; failed: (error: unknown) => void },
): PostgresPoolClient {
  let client = first;
  let isOpen = false;
  const query: Query = async (text, values) => {
    const ask = () => (client.query as unknown as Query)(text, values);
    if (text === 'begin') isOpen = true;
    // The reads of a transaction are gone with its connection.
    if (isOpen || client !== first) return ask();
    try {
      return await ask();
    } catch (error) {
      failed(error);
      client = await primary.connect();
      first.release();
      return ask();
    }
  };
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
}
