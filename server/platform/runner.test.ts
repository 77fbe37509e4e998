import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBackoff } from './backoff.ts';
import { DatabaseUnavailableError } from './db/errors.ts';
import { createGatherer } from './gatherer.ts';
import { createLogger } from './logger.ts';
import { createRunner } from './runner.ts';
import { patience } from '#tests/support/patience.ts';
import { createHealth } from './service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function taskOf() {
  const health = createHealth({ service: 'test', logger: createLogger('silent') });
  const task = health.task('test', { failsAfterMs: 60_000 });
  return { task, report: () => health.report().tasks[0] };
}

test('requests during a run are one more run', async () => {
  const { task, report } = taskOf();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const runner = createRunner(() => gates[runs++]?.promise ?? Promise.resolve(), task);
  const done = runner.run();
  for (let request = 0; request < 5; request += 1) runner.request();
  gates[0]?.resolve();
  await vi.waitFor(() => expect(runs).toBe(2), patience);
  gates[1]?.resolve();
  await done;
  expect(runs).toBe(2);
  expect(report()).toMatchObject({ errors: 0, lagMs: 0, isFailing: false });
});

test('work that keeps failing is repeated ever more slowly, however often it is asked for', async () => {
  const { task, report } = taskOf();
  let runs = 0;
  const runner = createRunner(() => {
    runs += 1;
    return Promise.reject(new Error('broken'));
  }, task);
  for (let second = 0; second < 120; second += 1) {
    runner.request();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(runs).toBeGreaterThan(8);
  expect(runs).toBeLessThan(30);
  expect(report()).toMatchObject({ errors: runs, isFailing: true });
  await runner.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(report()).toMatchObject({ errors: runs });
});

test('work that failed runs again by itself, and is well once it succeeds', async () => {
  const { task, report } = taskOf();
  let isBroken = true;
  const runner = createRunner(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()), task);
  runner.request();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(report()).toMatchObject({ isFailing: true });
  isBroken = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(report()).toMatchObject({ isFailing: false, lagMs: 0 });
  expect(report()?.lastSuccessAt).toBeDefined();
});

test('work that hangs is failing', async () => {
  const { task, report } = taskOf();
  createRunner(() => new Promise(() => {}), task).request();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(report()).toMatchObject({ isFailing: false });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(report()).toMatchObject({ isFailing: true, errors: 0 });
});

test('an item that cannot be handled is dropped, the others of its while are handled', async () => {
  const { task, report } = taskOf();
  const handled: number[] = [];
  const gatherer = createGatherer<number>({ task, afterMs: 10 }, async (items) => {
    if (items.includes(13)) throw new TypeError('not this one');
    handled.push(...items);
  });
  for (const item of [11, 12, 13, 14, 14]) gatherer.add(String(item), item);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(handled).toEqual([11, 12, 14]);
  expect(report()).toMatchObject({ errors: 1 });
  await gatherer.stop();
});

test('items wait while the database is away', async () => {
  const { task } = taskOf();
  const handled: number[][] = [];
  let isAway = true;
  const gatherer = createGatherer<number>({ task, afterMs: 10 }, async (items) => {
    if (isAway) throw new DatabaseUnavailableError(new Error('refused'));
    handled.push(items);
  });
  gatherer.add('a', 1);
  await vi.advanceTimersByTimeAsync(5_000);
  gatherer.add('b', 2);
  gatherer.add('a', 3);
  isAway = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(handled.flat().toSorted((a, b) => a - b)).toEqual([2, 3]);
  await gatherer.stop();
});

test('the pause of one that fails doubles up to its bound, and ends with a success', () => {
  const backoff = createBackoff<string>({ firstMs: 1_000, longestMs: 5_000 });
  expect(Array.from({ length: 5 }, () => backoff.failed('a'))).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  expect([backoff.pauseOf('a'), backoff.pauseOf('b'), backoff.paused()]).toEqual([5_000, 0, ['a']]);
  vi.advanceTimersByTime(5_000);
  expect([backoff.pauseOf('a'), backoff.paused()]).toEqual([0, []]);
  backoff.failed('a');
  backoff.succeeded('a');
  expect([backoff.pauseOf('a'), backoff.failed('a')]).toEqual([0, 1_000]);
});
