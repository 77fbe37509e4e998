import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startRelay } from '#tests/support/relay.ts';
import { createHangWatch } from './hang-watch.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterAll(() => database.drop());

test('a database that answers nobody is hung until it answers', async () => {
  const relay = await startRelay(database.connectionString);
  const watch = createHangWatch({ connectionString: relay.connectionString, silentMs: 0, answerMs: 200 });
  relay.fallSilent();
  await new Promise<void>((cutOff) => watch.awaited(cutOff));
  expect(watch.isHung()).toBe(true);
  relay.recover();
  await expect.poll(watch.isHung).toBe(false);
});

test('a process that was held up itself does not take the database for hung', async () => {
  const { hostname, port } = new URL(database.connectionString);
  const asked = Promise.withResolvers<void>();
  const server = createServer((near) => {
    holdUp(1_000);
    near.pipe(connect(Number(port), hostname)).pipe(near);
    near.once('close', asked.resolve);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const before = new URL(database.connectionString);
  before.port = String((server.address() as AddressInfo).port);
  const watch = createHangWatch({ connectionString: before.href, silentMs: 0, answerMs: 500 });
  let cutOffs = 0;
  const answered = watch.awaited(() => (cutOffs += 1));
  await asked.promise;
  answered(true);
  expect(cutOffs).toBe(0);
  expect(watch.isHung()).toBe(false);
  server.close();
});

const holdUp = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
