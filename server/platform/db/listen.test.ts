import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#server/platform/logger.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startRelay } from '#tests/support/relay.ts';
import { createDatabaseClock } from './database-clock.ts';
import { createListener } from './listen.ts';
import type { Listener, ListenerOptions } from './listen.ts';

let database: TestDatabase;
const listeners: Listener[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});
afterAll(() => database.drop());

function makeListener(options: Partial<ListenerOptions> = {}): Listener {
  const { connectionString } = database;
  const listener = createListener({ connectionString, logger: createLogger('silent'), ...options });
  listeners.push(listener);
  return listener;
}

function notify(channel: string, payload: string): Promise<unknown> {
  return database.pool.query('select pg_notify($1, $2)', [channel, payload]);
}

function cutConnections(): Promise<unknown> {
  return database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'dovepost listener'`,
  );
}

test('each subscriber of a channel receives what is notified there, until it ends its subscription', async () => {
  const listener = makeListener();
  const heard: string[] = [];
  const endFirst = listener.subscribe('News', (payload) => heard.push(`first ${payload}`));
  listener.subscribe('News', (payload) => heard.push(`second ${payload}`));
  listener.subscribe('other', (payload) => heard.push(`other ${payload}`));
  await listener.start();
  await notify('News', 'a');
  await expect.poll(() => heard).toEqual(['first a', 'second a']);
  endFirst();
  await notify('News', 'b');
  await notify('other', '');
  await expect.poll(() => heard).toEqual(['first a', 'second a', 'second b', 'other ']);
});

test('a channel subscribed to while connected delivers once its gap was announced', async () => {
  const listener = makeListener();
  await listener.start();
  const gap = new Promise<void>((resolve) => listener.onGap(resolve));
  const heard: string[] = [];
  listener.subscribe('late', (payload) => heard.push(payload));
  await gap;
  await notify('late', 'x');
  await expect.poll(() => heard).toEqual(['x']);
});

test('a connection that is cut comes back by itself, listens to all its channels and announces the gap', async () => {
  const listener = makeListener();
  const heard: string[] = [];
  let gaps = 0;
  listener.subscribe('one', (payload) => heard.push(payload));
  listener.subscribe('two', (payload) => heard.push(payload));
  listener.onGap(() => (gaps += 1));
  await listener.start();
  for (const round of [1, 2]) {
    await cutConnections();
    await expect.poll(() => gaps).toBe(round);
    await notify('one', `one ${round}`);
    await notify('two', `two ${round}`);
    await expect.poll(() => heard.slice(-2)).toEqual([`one ${round}`, `two ${round}`]);
  }
});

test('a subscriber that throws takes nothing from the others', async () => {
  const listener = makeListener();
  const heard: string[] = [];
  listener.subscribe('news', () => {
    throw new Error('not today');
  });
  listener.subscribe('news', (payload) => heard.push(payload));
  await listener.start();
  await notify('news', 'a');
  await expect.poll(() => heard).toEqual(['a']);
});

test('a connection that has silently died is noticed and replaced', async () => {
  const relay = await startRelay(database.connectionString);
  const listener = makeListener({ connectionString: relay.connectionString, heartbeatMs: 50, queryTimeoutMs: 200 });
  const heard: string[] = [];
  let gaps = 0;
  listener.subscribe('news', (payload) => heard.push(payload));
  listener.onGap(() => (gaps += 1));
  await listener.start();
  relay.fallSilent();
  await notify('news', 'lost');
  await expect.poll(() => countListeners()).toBe(0);
  relay.recover();
  await expect.poll(() => gaps).toBe(1);
  await notify('news', 'heard');
  await expect.poll(() => heard).toEqual(['heard']);
});

async function countListeners(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*) from pg_stat_activity
     where datname = current_database() and application_name = 'dovepost listener'`,
  );
  return rows[0]?.count ?? -1;
}

test('a start without a database fails, and closing while it is away ends the attempts', async () => {
  const nowhere = new URL(database.connectionString);
  nowhere.port = '1';
  await expect(makeListener({ connectionString: nowhere.href }).start()).rejects.toThrow('ECONNREFUSED');

  const relay = await startRelay(database.connectionString);
  const listener = makeListener({ connectionString: relay.connectionString, queryTimeoutMs: 200 });
  await listener.start();
  relay.fallSilent();
  await cutConnections();
  await listener.close();
});

test('the clock is set by each connection, and again whenever it is asked whether it lives', async () => {
  const hourMs = 3_600_000;
  let aheadMs = 0;
  const clock = createDatabaseClock(() => performance.now() + aheadMs);
  const isNear = () => Math.abs(clock.now().getTime() - Date.now()) < hourMs / 2;
  aheadMs = hourMs;
  expect(isNear()).toBe(false);
  await makeListener({ clock, heartbeatMs: 20 }).start();
  expect(isNear()).toBe(true);
  aheadMs = 0;
  expect(isNear()).toBe(false);
  await expect.poll(isNear).toBe(true);
});
