import { Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#server/database.ts';
import { leaseDurationMs } from '#server/modules/numbers/links/index.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createHealth } from '#server/platform/service.ts';
import { createLeaseKeeper } from './lease-keeper.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A database that never says anything. */
const silentPool = { connect: () => new Promise<never>(() => undefined), end: () => Promise.resolve() };

test('a worker that is cut off from the database gives a phone up before another may take it', () => {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: silentPool }) });
  const health = createHealth({ service: 'phones', logger: createLogger('silent') });
  const lost: number[] = [];
  const keeper = createLeaseKeeper(
    { db },
    { owner: 'a', most: 10, health, onLost: ({ phoneId }) => lost.push(phoneId), onRenewedLate: () => undefined },
  );
  void keeper.start();
  keeper.add({ accountId: 1, phoneId: 7, token: 1 }, performance.now());
  vi.advanceTimersByTime(leaseDurationMs - 2_000);
  expect(lost).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(lost).toEqual([7]);
});
