import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { pauseAfter, spread } from '#server/platform/backoff.ts';
import type { DatabaseClock } from './database-clock.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { defaultSchema, sharedName } from './shared-names.ts';

/** Receives NOTIFY on a direct connection of its own, which it replaces when it breaks. */
export type Listener = {
  /** Resolves once it listens to everything subscribed so far; rejects when the database cannot be reached. */
  start(): Promise<void>;
  /** `onNotification` gets the payload. The function that comes back ends the subscription. */
  subscribe(channel: string, onNotification: (payload: string) => void): () => void;
  /** Called when notifications may have been missed: look at the tables. */
  onGap(callback: () => void): () => void;
  close(): Promise<void>;
};

export type ListenerOptions = {
  connectionString: string;
  /** Where the product lives, whose notifications are listened to. */
  schema?: string;
  logger: Logger;
  /** Reads the database's time by each connection, and whenever it is asked whether it lives. */
  clock?: DatabaseClock;
  /** How often the connection is asked whether it lives. */
  heartbeatMs?: number;
  /** A connection that does not answer within this time is replaced. */
  queryTimeoutMs?: number;
};

/** The quickest of a few answers says the time best. */
const readings = 3;
const retryGrowth = { firstMs: 100, longestMs: 10_000 };

export function createListener(options: ListenerOptions): Listener {
  const {
    connectionString,
    schema = defaultSchema,
    logger,
    clock,
    heartbeatMs = 30_000,
    queryTimeoutMs = 10_000,
  } = options;
  const subscribers = new Map<string, Set<(payload: string) => void>>();
  const gapCallbacks = new Set<() => void>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let reconnecting: Promise<void> | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let lastAnswer: Promise<unknown> = Promise.resolve();

  const handlersOf = (shared: string) =>
    [...subscribers].flatMap(([channel, handlers]) => (sharedName(schema, channel) === shared ? [...handlers] : []));

  /** A connection takes one query at a time. */
  function ask<Row extends pg.QueryResultRow>(connected: pg.Client, sql: string): Promise<pg.QueryResult<Row>> {
    const answer = lastAnswer.then(() => connected.query<Row>(sql));
    lastAnswer = answer.catch(() => {});
    return answer;
  }

  async function askTime(connected: pg.Client): Promise<Date> {
    const { rows } = await ask<{ now: Date }>(connected, 'select clock_timestamp() as now');
    const [row] = rows;
    if (row === undefined) throw new Error('the database answered nothing');
    return row.now;
  }

  const readTime = (connected: pg.Client): Promise<unknown> =>
    clock === undefined ? askTime(connected) : clock.read(() => askTime(connected));

  function listen(connected: pg.Client, channel: string): Promise<unknown> {
    return ask(connected, `listen ${pg.escapeIdentifier(sharedName(schema, channel))}`);
  }

  function call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      logger.error({ err: error }, 'a notification was not handled');
    }
  }

  function tellGap(): void {
    for (const callback of gapCallbacks) call(callback);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      application_name: 'dovepost listener',
      keepAlive: true,
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
    });
    next.on('error', (error) =>
      logger.warn({ err: new DatabaseUnavailableError(error) }, 'the listening connection broke'),
    );
    next.on('notification', ({ channel, payload = '' }) => {
      for (const onNotification of handlersOf(channel)) call(() => onNotification(payload));
    });
    next.once('end', () => {
      if (client !== next) return;
      client = undefined;
      if (!closing.signal.aborted) reconnecting = reconnect();
    });
    try {
      await next.connect();
      // A channel that is added meanwhile is still met by the loop.
      for (const channel of subscribers.keys()) await listen(next, channel);
      for (let reading = 0; reading < readings; reading += 1) await readTime(next);
      closing.signal.throwIfAborted();
      client = next;
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      try {
        await delay(spread(pauseAfter(attempt + 1, retryGrowth)), undefined, { signal: closing.signal });
        await connect();
        tellGap();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        logger.warn({ err: new DatabaseUnavailableError(error) }, 'the listening connection is not back yet');
      }
    }
  }

  /** A gap is reported, since notifications from before the LISTEN are missed. */
  async function listenLate(connected: pg.Client, channel: string): Promise<void> {
    try {
      await listen(connected, channel);
      tellGap();
    } catch {
      await connected.end();
    }
  }

  async function checkAlive(): Promise<void> {
    const checked = client;
    // With the query unanswered, `end` cuts the connection off, and `reconnect` follows.
    if (checked) await readTime(checked).catch(() => checked.end());
  }

  return {
    async start() {
      await connect();
      heartbeat = setInterval(() => void checkAlive(), heartbeatMs);
    },
    subscribe(channel, onNotification) {
      const known = subscribers.get(channel);
      const callbacks = known ?? new Set();
      // Two subscriptions of one function end one by one.
      const callback = (payload: string) => onNotification(payload);
      callbacks.add(callback);
      if (!known) {
        subscribers.set(channel, callbacks);
        if (client) void listenLate(client, channel);
      }
      return () => void callbacks.delete(callback);
    },
    onGap(callback) {
      const entry = () => callback();
      gapCallbacks.add(entry);
      return () => void gapCallbacks.delete(entry);
    },
    async close() {
      closing.abort();
      clearInterval(heartbeat);
      await reconnecting;
      await client?.end();
    },
  };
}
