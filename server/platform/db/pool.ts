import pg from 'pg';
import { outageOf } from '#server/platform/logger.ts';
import type { Logger } from '#server/platform/logger.ts';
import { DatabaseUnavailableError } from './errors.ts';
import type { SessionSettings } from './kysely-pool.ts';
import { defaultTimeouts, startParameters } from './timeouts.ts';
import type { DatabaseTimeouts } from './timeouts.ts';
import { breakAtUnreadableAnswers } from './unreadable-answers.ts';

breakAtUnreadableAnswers();

export type PoolOptions = SessionSettings & {
  connectionString: string;
  logger: Logger;
  maxConnections?: number;
};

/** Object ids of `pg_type`. */
const int8 = 20;
const int8Array = 1016;
const date = 1082;

/** A bigint as a number. Throws `RangeError` for one that a number cannot hold exactly. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for an exact number`);
  return value;
}

type Int8Array = (string | null | Int8Array)[];

function parseInt8s(values: Int8Array): unknown[] {
  return values.map((value) => (Array.isArray(value) ? parseInt8s(value) : value === null ? null : parseInt8(value)));
}

/** For one pool alone: pg's own table of types is shared by everything in the process. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: never) => unknown {
  if (format !== 'binary') {
    if (oid === int8) return parseInt8;
    if (oid === int8Array) {
      const parse = pg.types.getTypeParser(oid as number, 'text') as (text: string) => Int8Array;
      return (text: string) => parseInt8s(parse(text));
    }
    // A day belongs to no time zone, so it is not a Date.
    if (oid === date) return (text: string) => text;
  }
  return pg.types.getTypeParser(oid, format);
}

/** The first word of a connection that has been silent for this long. */
export const keepAliveAfterMs = 10_000;

/**
 * bigint comes as a number, timestamptz as a Date (or ±Infinity), date as its text. A connection that breaks ends
 * nothing but the statement it was at.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { connectionString, logger, maxConnections = 20, isBehindPooler = false } = options;
  const { timeouts = defaultTimeouts, settings } = options;
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    application_name: 'dovepost',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    connectionTimeoutMillis: 15_000,
    types: { getTypeParser },
    // Statements may follow one another without waiting for answers, where `kyselyPool` has them do so.
    pipeline: true,
    ...(!isBehindPooler && startParameters(timeouts, settings)),
  });
  // A connection in use has no other listener, and an error without one ends the process. The caller that waits for the
  // statement gets the error, too.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (pool.ending) return;
      // A standby's is no outage of the database.
      const about = outageOf(logger) ? { err: new DatabaseUnavailableError(error) } : { fault: error.message };
      logger.warn(about, 'a database connection broke');
    });
  });
  // The same for an idle one, which is replaced at the next query.
  pool.on('error', () => undefined);
  return pool;
}

/** For queries that may be costly: none of them reads for long. */
const readTimeouts: DatabaseTimeouts = { ...defaultTimeouts, statementMs: 10_000 };

/**
 * For a few connections that take queries which may be costly, so that they hold none that sending needs; without
 * helpers of the database, each of which would take a core from the rest, and with the memory to keep what a condition
 * finds of a million profiles. A cache that is said to be small has the planner read millions of rows in the order of
 * their pages: by an index each would be a page anew.
 */
export const readPoolOptions = {
  maxConnections: 4,
  timeouts: readTimeouts,
  settings: ['max_parallel_workers_per_gather=0', 'jit=off', 'work_mem=32MB', 'effective_cache_size=128MB'],
};
