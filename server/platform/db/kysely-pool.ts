import type { PostgresCursor, PostgresPool, PostgresPoolClient } from 'kysely';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { outageOf } from '#server/platform/logger.ts';
import type { Logger } from '#server/platform/logger.ts';
import { DatabaseUnavailableError, isConnectionSpoilt, isDatabaseFull } from './errors.ts';
import type { HangWatch } from './hang-watch.ts';
import { beginWithTimeouts, defaultTimeouts, readStatementTimeout } from './timeouts.ts';
import type { DatabaseTimeouts } from './timeouts.ts';

const preparedName = /^\s*\/\* prepared: ([\w-]+)(?:, (unread|last))? \*\//;

/** The settings that each connection gets. */
export type SessionSettings = {
  timeouts?: DatabaseTimeouts;
  /** Further ones, as `name=value`. */
  settings?: readonly string[];
  /** A pooler shares connections between transactions and takes no settings for one: each transaction makes them. */
  isBehindPooler?: boolean;
  /** Cuts off whoever waits for a database that hangs. */
  hangs?: HangWatch | undefined;
  /** Told that the database has answered. */
  logger?: Logger;
};

/** The driver's words for a connection that is gone, or says what PostgreSQL does not. */
const driverMessages =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|received invalid response)/;

/** A failure of the network, which has a code, or of the driver; not PostgreSQL's answer, nor one that cannot be read. */
function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error) || 'severity' in error) return false;
  return 'code' in error || driverMessages.test(error.message);
}

/** Waits for the commit; `of` is its name, which a pooler's connection does not get. */
type Last = pg.QueryConfig & { values: unknown[]; of: string | undefined };

const noAnswer: pg.QueryResult = { command: '', rowCount: 0, rows: [], oid: 0, fields: [] };

/** To end a connection whatever is on its way: pg itself would wait for the answers. */
const streamOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * The pool as Kysely takes it.
 *
 * A statement that begins with the comment `prepared: its-name` is planned once a connection instead of at every call.
 * Worth it for statements of fixed text that each message goes through; a list that one joins is an `anyLength`. Behind
 * a pooler, which may have it at another connection, it is planned at every call.
 *
 * A statement that begins with `prepared: its-name, unread` changes something and its result is ignored: in a
 * transaction it is buffered and sent with the next statement, in one round trip. Should it fail, so does the
 * transaction, at that statement or at the commit. `begin` goes the same way.
 *
 * A statement that begins with `prepared: its-name, last` is one whose parameters are lists of the same length and whose
 * result is ignored: in a transaction it waits for the commit, and all of its name are one statement then.
 *
 * Behind a pooler a statement outside a transaction gets one of its own, in the same write, so that it has its bounds, too.
 *
 * A connection that broke, or whose state is unknown, does not go back to the pool. A connection that does not answer
 * in time is cut off: the network may keep silent about a server that is gone for a quarter of an hour.
 */
export function kyselyPool(pool: pg.Pool, options: SessionSettings = {}): PostgresPool {
  const { timeouts = defaultTimeouts, settings, isBehindPooler = false, hangs, logger } = options;
  const outage = logger && outageOf(logger);
  const begin = (): pg.QueryConfig => ({ text: isBehindPooler ? beginWithTimeouts(timeouts, settings) : 'begin' });
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    let statementMs = timeouts.statementMs;
    let isSpoilt = false;
    let isOpen = false;
    /** Statements whose results are ignored, buffered until the next statement that has a reader. */
    let unread: pg.QueryConfig[] = [];
    let last: Last[] = [];

    async function ask(config: pg.QueryConfig): Promise<pg.QueryResult> {
      if (hangs?.isHung()) {
        isSpoilt = true;
        throw new DatabaseUnavailableError(hanging);
      }
      const answerMs = statementMs + timeouts.answerGraceMs;
      let silence: Error | undefined;
      const cutOff = (why: string) => {
        silence = new Error(why);
        streamOf(client).destroy();
      };
      const answered = hangs?.awaited(() => cutOff(hanging));
      const timer = statementMs > 0 ? setTimeout(() => cutOff(`no answer within ${answerMs} ms`), answerMs) : undefined;
      try {
        const answer = await client.query(config);
        answered?.(true);
        outage?.answered();
        return answer;
      } catch (error) {
        answered?.(error instanceof Error && 'severity' in error);
        if (isDatabaseFull(error)) hangs?.noteFull();
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
      const [, name, manner] = preparedName.exec(text) ?? [];
      const config = { text, values: [...values], ...(name !== undefined && !isBehindPooler && { name }) };
      const isBegin = text === 'begin';
      if (isBehindPooler && !isOpen && !isBegin) return (await askTogether([begin(), config, { text: 'commit' }]))[1];
      isOpen = isBegin || (isOpen && text !== 'commit');
      if (isOpen && manner === 'last') return keepForCommit({ ...config, of: name });
      if (text === 'commit') unread.push(...last.splice(0));
      if (isBegin || (isOpen && manner !== undefined)) {
        unread.push(isBegin ? begin() : config);
        return noAnswer;
      }
      const answer =
        unread.length === 0 ? await ask(config) : (await askTogether([...unread.splice(0), config])).at(-1);
      statementMs = readStatementTimeout(text, values) ?? statementMs;
      return answer;
    }

    function keepForCommit(statement: Last): pg.QueryResult {
      const alike = last.find(({ of }) => of === statement.of);
      if (alike) alike.values = alike.values.map((list, index) => [list, statement.values[index]].flat());
      else last.push(statement);
      return noAnswer;
    }

    /**
     * All in one write. The first failure is the reason; PostgreSQL turns the commit of a failed transaction into a
     * rollback.
     */
    async function askTogether(configs: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
      const stream = streamOf(client);
      stream.cork();
      const asked = configs.map(ask);
      stream.uncork();
      const answers = await Promise.allSettled(asked);
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed) throw failed.reason;
      return Promise.all(asked);
    }

    /** A connection that is gone has rolled back; that it is gone must not hide why. */
    async function rollBack(): Promise<pg.QueryResult> {
      isOpen = false;
      unread = [];
      last = [];
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
      const client = await connectUnlessHung(pool, hangs).catch((error: unknown) => {
        throw new DatabaseUnavailableError(error);
      });
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

const hanging = 'it does not answer';

/** A connection that comes once nobody waits for it any more goes back. */
async function connectUnlessHung(pool: pg.Pool, hangs: HangWatch | undefined): Promise<pg.PoolClient> {
  if (!hangs) return pool.connect();
  if (hangs.isHung()) throw new Error(hanging);
  const { promise: hung, reject } = Promise.withResolvers<never>();
  let isGivenUp = false;
  const answered = hangs.awaited(() => {
    isGivenUp = true;
    reject(new Error(hanging));
  });
  const connecting = pool.connect();
  connecting.then(
    (client) => isGivenUp && client.release(),
    () => undefined,
  );
  try {
    const client = await Promise.race([connecting, hung]);
    answered(true);
    return client;
  } catch (error) {
    answered(false);
    throw error;
  }
}
