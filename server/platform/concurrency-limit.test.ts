import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { BusyError } from './errors.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

const limitOf = (maxRunning: number, maxWaiting: number) =>
  createConcurrencyLimit({ maxRunning, maxWaiting, refusal: () => new BusyError('Full', 2) });

test('runs so many at once, the others in their order, and refuses who finds no place to wait', async () => {
  const limit = limitOf(2, 2);
  const gates = [gate(), gate(), gate(), gate()];
  const started: number[] = [];
  const work = gates.map(({ opened }, index) =>
    limit.run(async () => {
      started.push(index);
      await opened;
      return index;
    }),
  );
  await expect(limit.run(async () => 'late')).rejects.toMatchObject({ status: 503, code: 'busy' });
  expect(started).toEqual([0, 1]);

  gates[1]?.open();
  await work[1];
  await expect.poll(() => started).toEqual([0, 1, 2]);

  for (const { open } of gates) open();
  expect(await Promise.all(work)).toEqual([0, 1, 2, 3]);
  expect(await limit.run(async () => 'again')).toBe('again');
});

test('a failure gives its place back', async () => {
  const limit = limitOf(1, 0);
  await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limit.run(async () => 'next')).toBe('next');
});
