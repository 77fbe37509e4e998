import type { PostgresCursor, PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailableError, isConnectionSpoilt } from './errors.ts';
import { beginWithTimeouts, defaultTimeouts, readStatementTimeout } from './timeouts.ts';
import type { DatabaseTimeouts } from './timeouts.ts';

const preparedName = /^\s*\/\* prepared: ([\w-]+) \*\//;

/** What the database knows of a connection's use. */
export type SessionSettings = {
  timeouts?: DatabaseTimeouts;
  /** Further ones, as `name=value`. */
  settings?: readonly string[];
  /** A pooler shares connections between transactions and takes no settings for one: each transaction makes them. */
  isBehindPooler?: boolean;
};

/** The driver's words for a connection that is gone. */
const driverMessages = /^(Connection terminated|Client (has encountered a connection error|was closed))/;

/** A failure of the network, which has a code, or of the driver; not PostgreSQL's answer, nor one that cannot be read. */
function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error) || 'severity' in error) return false;
  return 'code' in error || driverMessages.test(error.message);
}

/**
 * The pool as Kysely takes it.
 *
 * A statement that begins with the comment `prepared: its-name` is planned once a connection instead of at every call.
 * Worth it for statements of fixed text that each message goes through. Behind a pooler, which may have it at another
 * connection, it is planned at every call.
 *
 * Behind a pooler a statement outside a transaction gets one of its own, so that it has its bounds, too.
 *
 * A connection that broke, or whose state is unknown, does not go back to the pool. One that does not answer in time is
 * cut off: the network may keep silent about a server that is gone for a quarter of an hour.
 */
export function kyselyPool(pool: pg.Pool, options: SessionSettings = {}): PostgresPool {
  const { timeouts = defaultTimeouts, settings, isBehindPooler = false } = options;
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    let statementMs = timeouts.statementMs;
    let isSpoilt = false;

    async function ask(config: pg.QueryConfig): Promise<pg.QueryResult> {
      const answerMs = statementMs + timeouts.answerGraceMs;
      let silence: Error | undefined;
      // With the query unanswered, `end` cuts the connection off.
      const cutOff = () => {
        silence = new Error(`no answer within ${answerMs} ms`);
        void client.end().catch(() => undefined);
      };
      const timer = statementMs > 0 ? setTimeout(cutOff, answerMs) : undefined;
      try {
        return await client.query(config);
      } catch (error) {
        const fault = isConnectionFault(error) ? new DatabaseUnavailableError(silence ?? error) : error;
        isSpoilt ||= isConnectionSpoilt(fault);
        throw fault;
      } finally {
        clearTimeout(timer);
      }
    }

    async function query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []) {
      if (typeof text !== 'string') throw new Error('Cursors are not used here');
      if (text === 'rollback') return rollBack();
      if (isBehindPooler && client.getTransactionStatus() === 'I') {
        const began = await ask({ text: beginWithTimeouts(timeouts, settings) });
        return text === 'begin' ? began : commitAlone(text, values);
      }
      const name = isBehindPooler ? undefined : preparedName.exec(text)?.[1];
      const answer = await ask({ text, values: [...values], ...(name !== undefined && { name }) });
      statementMs = readStatementTimeout(text, values) ?? statementMs;
      return answer;
    }

    async function commitAlone(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
      try {
        const answer = await ask({ text, values: [...values] });
        await ask({ text: 'commit' });
        return answer;
      } catch (error) {
        await rollBack();
        throw error;
      }
    }

    /** A connection that is gone has rolled back; that it is gone must not hide why. */
    async function rollBack(): Promise<pg.QueryResult> {
      try {
        if (!isSpoilt) return await ask({ text: 'rollback' });
      } catch {
        isSpoilt = true;
      }
      return { command: 'ROLLBACK', rowCount: 0, rows: [], oid: 0, fields: [] };
    }

    function release(): void {
      const isInTransaction = client.getTransactionStatus() !== 'I';
      statementMs = timeouts.statementMs;
      client.release(isSpoilt || isInTransaction);
    }

    return { query: query as unknown as PostgresPoolClient['query'], release };
  }

  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error);
      });
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
