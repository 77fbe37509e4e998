import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { createProfile } from '#contracts/profiles.ts';
import { countLines } from './count-lines.ts';

const named: Criteria = { field: 'name', op: 'starts', value: 'a' };
const ordered: Criteria = { event: 'Ordered', times: { op: '>=', n: 1 } };

let app: TestApplication;
let ctx: AccountContext;

beforeAll(async () => {
  app = await startTestApplication();
  const { api, id } = await signUpSubscriber(app.url);
  await api.call(createProfile, { body: { phone: '34613300101', name: 'Ada' } });
  await api.call(createProfile, { body: { phone: '34613300102', name: 'Ben' } });
  ctx = { ...app.ctx, account: { id, timezone: 'UTC' }, actor: { type: 'system' } } as unknown as AccountContext;
});
afterAll(() => app[Symbol.asyncDispose]());

const linesOf = (...criteria: Criteria[]) => criteria.map((each, place) => ({ path: String(place), criteria: each }));

test('a group of one part is counted with it, and the first line brings its newest people', async () => {
  const lines = linesOf({ all: [ordered] }, ordered, { any: [{ all: [named] }] }, named);
  const told = await countLines(ctx, lines, { limit: 5 });
  expect(told.lines).toEqual([
    { path: '0', count: 0, unreadable: 0, is_estimate: false },
    { path: '1', count: 0, unreadable: 0, is_estimate: false },
    { path: '2', count: 1, unreadable: 0, is_estimate: false },
    { path: '3', count: 1, unreadable: 0, is_estimate: false },
  ]);
  expect(told.newest).toEqual([]);
});

test('a line that takes too long is missing beside the first, and too costly as the first', async () => {
  const client = await app.ctx.pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table event_days in access exclusive mode');
    const told = await countLines(ctx, linesOf(named, ordered), { limit: 5, timeoutMs: 4_000, estimateMs: 200 });
    expect(told.lines).toEqual([{ path: '0', count: 1, unreadable: 0, is_estimate: false }]);
    const refused = countLines(ctx, linesOf(ordered, named), { limit: 5, timeoutMs: 100, estimateMs: 100 });
    await expect(refused).rejects.toMatchObject({ status: 503, code: 'too_costly' });
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('lines for which no time is left are estimated, with some of the people whom the first finds', async () => {
  const told = await countLines(ctx, linesOf(named, { not: ordered }), { limit: 5, timeoutMs: 0 });
  expect(told.lines).toEqual([
    { path: '0', count: 1, unreadable: 0, is_estimate: true },
    { path: '1', count: 2, unreadable: 0, is_estimate: true },
  ]);
  expect(told.newest).toMatchObject([{ name: 'Ada' }]);
});
