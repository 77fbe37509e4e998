import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

test('items that arrive while a batch runs go together into the next batch', async () => {
  const batches: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher<number, number>(
    async (items) => {
      batches.push(items);
      await gate.promise;
      return items.map((item) => item * 10);
    },
    { maxItems: 3 },
  );
  const first = batcher.add(1);
  await expect.poll(() => batches.length).toBe(1);
  const rest = [2, 3, 4, 5].map((item) => batcher.add(item));
  gate.resolve();
  expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('a fault reaches the callers of its batch alone', async () => {
  const batcher = createBatcher<number, number>(
    (items) => (items.includes(1) ? Promise.reject(new Error('refused')) : Promise.resolve(items)),
    { maxItems: 1 },
  );
  const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  await batcher.idle();
  expect(batcher.isIdle()).toBe(true);
});
