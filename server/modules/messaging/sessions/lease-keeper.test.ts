import { afterAll, beforeAll, beforeEach, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { breakLease, claimLeases, leaseDurationMs } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createHealth } from '#server/platform/service.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { createLeaseKeeper } from './lease-keeper.ts';

const beatMs = leaseDurationMs / 5;

let app: TestApplication;
let phones: number[];

/** Nobody but the keepers of a test holds phones. */
beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { rows } = await app.ctx.pool.query<{ id: number }>(
    `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
     select $1, $2, 5511900000000 + n, 'sandbox', 'connected', now(), 'online', now() from generate_series(1, 3) n returning id`,
    [customer.id, projectId],
  );
  phones = rows.map(({ id }) => id);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  await app.ctx.pool.query('delete from phone_leases');
  await app.ctx.pool.query('delete from phone_workers');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

async function startKeeper(owner: string, ownerTaken = new AbortController().signal) {
  const told: [string, number][] = [];
  const keeper = createLeaseKeeper(app.ctx, {
    owner,
    ownerTaken,
    most: 10,
    health: createHealth({ service: 'phones', logger: createLogger('silent') }),
    onLost: ({ phoneId }) => told.push(['lost', phoneId]),
  });
  await keeper.start();
  onTestFinished(() => keeper.stop());
  const claim = (limit = 10) => keeper.claim((worker) => claimLeases(app.ctx, { ...worker, limit }));
  return { keeper, told, claim };
}

/** As other processes see it: they begin, and look for phones. */
const takenBy = async (owner: string) =>
  (await claimLeases(app.ctx, { owner, limit: 10 })).map(({ phoneId }) => phoneId).toSorted((a, b) => a - b);

const leases = async () =>
  (
    await app.ctx.pool.query<{ owner: string; token: number; seconds: number }>(
      `select owner, token, extract(epoch from expires_at - clock_timestamp())::float8 as seconds
         from phone_leases order by phone_id`,
    )
  ).rows;

/** The worker's own lease, as if so much time had gone by. */
const age = (owner: string, ms: number) =>
  app.ctx.pool.query(
    `update phone_workers set expires_at = expires_at - $2 * interval '1 millisecond',
            seen_at = seen_at - $2 * interval '1 millisecond' where owner = $1`,
    [owner, ms],
  );

const beat = async () => {
  vi.advanceTimersByTime(beatMs);
  await vi.waitFor(() => undefined);
};

/** The time of a renewal goes by, and each of these is renewed. */
async function renewed(...workers: readonly { keeper: { owner(): string } }[]): Promise<void> {
  const ends = async () => {
    const owners = workers.map(({ keeper }) => keeper.owner());
    const { rows } = await app.ctx.pool.query<{ end: string }>(
      'select expires_at::text as end from phone_workers where owner = any($1)',
      [owners],
    );
    return rows.map(({ end }) => end);
  };
  const before = await ends();
  vi.advanceTimersByTime(beatMs);
  await expect.poll(async () => (await ends()).filter((end) => !before.includes(end))).toHaveLength(workers.length);
}

const lockWorkers = () => holdLock(app.ctx.pool, 'lock table phone_workers in access exclusive mode');

test('phones of a worker are held as long as its own lease, and free with its end however long the times beside them', async () => {
  const { keeper, claim } = await startKeeper('one');
  const claimed = await claim();
  expect(claimed).toHaveLength(phones.length);
  await beat();
  await expect.poll(async () => (await leases()).every(({ seconds }) => seconds > 200)).toBe(true);
  expect(claimed.every(keeper.holds)).toBe(true);
  expect(await takenBy('other')).toEqual([]);
  await age('one', leaseDurationMs + 1);
  expect(await takenBy('other')).toEqual(phones);
});

test('a worker whose lease ended is refused by the database, gives up all and begins under a higher epoch', async () => {
  const { keeper, told, claim } = await startKeeper('one');
  const claimed = await claim();
  await age('one', leaseDurationMs + 1);
  expect(await keeper.claim((worker) => claimLeases(app.ctx, { ...worker, limit: 10 }))).toEqual([]);
  await beat();
  await expect.poll(() => told.length).toBe(phones.length);
  expect(claimed.some(keeper.holds)).toBe(false);
  const epochs = async () => (await app.ctx.pool.query('select epoch from phone_workers')).rows;
  await expect.poll(async () => Number((await epochs())[0]?.epoch)).toBeGreaterThan(claimed.at(-1)?.token ?? Infinity);
  // Renewed, it holds nothing of before: anybody may take it.
  expect(await takenBy('other')).toEqual(phones);
});

test('a worker that was stopped gives its phones up as it goes on, before it renews anything', async () => {
  const { keeper, told, claim } = await startKeeper('one');
  const [lease] = await claim(1);
  vi.setSystemTime(Date.now());
  const release = await lockWorkers();
  // As when the process continues: time has gone by, and the renewal is due at once.
  vi.advanceTimersByTime(leaseDurationMs);
  expect(told).toEqual([['lost', lease?.phoneId]]);
  expect(keeper.holds(lease as Lease)).toBe(false);
  await release();
});

test('a worker that is cut off from the database gives its phones up before another may take them', async () => {
  const { told, claim } = await startKeeper('one');
  await claim();
  await lockWorkers();
  vi.advanceTimersByTime(leaseDurationMs - 2_000);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(phones.length);
});

test('a renewal that is answered after the lease had ended by this clock counts for nothing', async () => {
  const { keeper, told, claim } = await startKeeper('one');
  const claimed = await claim();
  const release = await lockWorkers();
  vi.advanceTimersByTime(leaseDurationMs);
  expect(told).toHaveLength(phones.length);
  await release();
  await expect
    .poll(async () => Number((await app.ctx.pool.query('select epoch from phone_workers')).rows[0]?.epoch))
    .toBeGreaterThan(claimed.at(-1)?.token ?? Infinity);
  expect(claimed.some(keeper.holds)).toBe(false);
  expect((await claim()).every(keeper.holds)).toBe(true);
});

test('a phone that is taken from its worker is given up with the next renewal, and the others are kept', async () => {
  const { keeper, told, claim } = await startKeeper('one');
  const claimed = await claim();
  const [taken, ...others] = claimed;
  expect(await breakLease(app.ctx, taken?.phoneId ?? 0)).toBe(true);
  await beat();
  await expect.poll(() => told).toEqual([['lost', taken?.phoneId]]);
  expect(others.every(keeper.holds)).toBe(true);
});

test('a claim whose answer was lost keeps no phone from others', async () => {
  const { keeper } = await startKeeper('one');
  const lost = keeper.claim(async (worker) => {
    await claimLeases(app.ctx, { ...worker, limit: 10 });
    throw new Error('The connection broke');
  });
  await expect(lost).rejects.toThrow('The connection broke');
  expect(await takenBy('other')).toEqual([]);
  await expect
    .poll(async () => {
      await beat();
      return (await leases()).length;
    })
    .toBe(0);
  expect(await takenBy('other')).toEqual(phones);
});

test('a process of the release before that starts under the name of a newer one holds what it claims', async () => {
  const { keeper } = await startKeeper('one');
  await keeper.stop();
  // As that release writes.
  await app.ctx.pool.query(
    `insert into phone_workers (owner, seen_at) values ('one', clock_timestamp())
     on conflict (owner) do update set seen_at = excluded.seen_at`,
  );
  await app.ctx.pool.query(
    `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
     select account_id, id, 'one', 1, clock_timestamp() + interval '15 seconds' from phones`,
  );
  const { rows } = await app.ctx.pool.query('select epoch, held, most from phone_workers');
  expect(rows).toEqual([{ epoch: null, held: null, most: null }]);
  await age('one', leaseDurationMs + 1);
  expect(await takenBy('other')).toEqual([]);
});

test('a worker that leaves and was not able to give back its phones keeps them from others no longer than its lease', async () => {
  const { keeper, claim } = await startKeeper('one');
  await claim();
  await beat();
  await keeper.retire();
  expect(await takenBy('other')).toEqual([]);
  await age('one', leaseDurationMs + 1);
  expect(await takenBy('other')).toEqual(phones);
});

test('processes of one name end as two workers, each with its own phones', async () => {
  const first = await startKeeper('one');
  const second = await startKeeper('one');
  expect(await first.claim()).toEqual([]);
  const claimed = await second.claim(2);
  expect(claimed).toHaveLength(2);
  await renewed(second);
  await expect.poll(() => first.keeper.owner()).not.toBe('one');
  await expect.poll(() => first.claim()).toHaveLength(1);
  for (let count = 0; count < 6; count += 1) await renewed(first, second);
  expect([...first.told, ...second.told]).toEqual([]);
  expect(claimed.every(second.keeper.holds)).toBe(true);
  expect([first.keeper.count(), second.keeper.count()]).toEqual([1, 2]);
});

test('a worker whose name another has the right to gives up all at once, and goes on under a name of its own', async () => {
  const taken = new AbortController();
  const { keeper, told, claim } = await startKeeper('one', taken.signal);
  await claim();
  taken.abort();
  expect(told).toHaveLength(phones.length);
  expect(keeper.owner()).not.toBe('one');
  // Phones under the old name are free with its lease, or as its new holder begins.
  await age('one', leaseDurationMs + 1);
  await expect.poll(claim).toHaveLength(phones.length);
});

test('phones of a claim that was under way as its worker lost its name are not held under the next one', async () => {
  const taken = new AbortController();
  const { keeper } = await startKeeper('one', taken.signal);
  const seen = async () => (await app.ctx.pool.query('select from phone_workers')).rowCount;
  const claimed = await keeper.claim(async (worker) => {
    taken.abort();
    await expect.poll(seen).toBe(2);
    const taking = await claimLeases(app.ctx, { ...worker, limit: 10 });
    expect(taking).toHaveLength(phones.length);
    return taking;
  });
  expect(claimed).toEqual([]);
  expect(keeper.count()).toBe(0);
});

test.each([
  ['ahead', 2 * 24 * 60 * 60_000],
  ['behind', -2 * 24 * 60 * 60_000],
])('a machine whose clock is two days %s takes no phone from another and keeps its own', async (_name, offsetMs) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  const first = await startKeeper('one');
  const claimed = await first.claim(2);
  await renewed(first);
  vi.setSystemTime(Date.now() + offsetMs);
  const second = await startKeeper('two');
  expect(await second.claim()).toHaveLength(1);
  for (let count = 0; count < 6; count += 1) await renewed(first, second);
  expect(await takenBy('other')).toEqual([]);
  expect([...first.told, ...second.told]).toEqual([]);
  expect(claimed.every(first.keeper.holds)).toBe(true);
});

test('where the times beside the phones cannot be moved on, the lease is renewed all the same', async () => {
  const { keeper, told, claim } = await startKeeper('one');
  const claimed = await claim();
  const locker = await app.ctx.pool.connect();
  onTestFinished(async () => {
    await locker.query('rollback');
    locker.release();
  });
  await locker.query('begin');
  // Readers pass, and no change does.
  await locker.query('lock table phone_leases in share row exclusive mode');
  for (let count = 0; count < 4; count += 1) await renewed({ keeper });
  expect(claimed.every(keeper.holds)).toBe(true);
  expect(told).toEqual([]);
});

test('a worker that retires is counted no more, however a renewal of before ends', async () => {
  const { keeper, claim } = await startKeeper('one');
  await claim();
  const seen = async () =>
    (await app.ctx.pool.query(`select seen_at > now() - interval '15 s' as is_seen from phone_workers`)).rows;
  vi.advanceTimersByTime(beatMs);
  await keeper.retire();
  expect(await seen()).toEqual([{ is_seen: false }]);
  await beat();
  expect(await seen()).toEqual([{ is_seen: false }]);
  expect(keeper.count()).toBe(phones.length);
  await keeper.stop();
  await keeper.forget();
  expect(await seen()).toHaveLength(1);
  await app.ctx.pool.query('delete from phone_leases');
  await keeper.forget();
  expect(await seen()).toEqual([]);
});
