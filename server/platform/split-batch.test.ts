import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { DatabaseUnavailableError } from './db/errors.ts';
import { ConflictError } from './errors.ts';
import { splitBatch } from './split-batch.ts';

const fault = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });
const notStorable = fault('22021');
const deadlock = fault('40P01');

/** All or nothing, as a transaction; `faults` says which item brings which error. */
function scene(faults: ReadonlyMap<number, Error>) {
  const runs: number[][] = [];
  const stored: number[] = [];
  const run = async (items: number[]) => {
    runs.push(items);
    const error = items.map((item) => faults.get(item)).find((found) => found !== undefined);
    if (error) throw error;
    stored.push(...items);
    return items.map((item) => item * 10);
  };
  return { runs, stored, run };
}

const items = Array.from({ length: 100 }, (_, index) => index);

const failedOnes = (settled: PromiseSettledResult<number>[]) =>
  settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));

test('without a fault it is one run', async () => {
  const { runs, run } = scene(new Map());
  expect(failedOnes(await splitBatch(items, run))).toEqual([]);
  expect(runs).toEqual([items]);
});

test('no items are no run', async () => {
  const { runs, run } = scene(new Map());
  expect(await splitBatch([], run)).toEqual([]);
  expect(runs).toEqual([]);
});

test.each([[[0]], [[99]], [[41]], [[3, 4, 77]]])(
  'the rows %j fail alone, the others are stored in order',
  async (bad) => {
    const { runs, stored, run } = scene(new Map(bad.map((item) => [item, notStorable])));
    const settled = await splitBatch(items, run);
    expect(failedOnes(settled)).toEqual(bad);
    expect(settled.find(({ status }) => status === 'rejected')).toEqual({ status: 'rejected', reason: notStorable });
    expect(stored).toEqual(items.filter((item) => !bad.includes(item)));
    expect(settled[50]).toEqual({ status: 'fulfilled', value: 500 });
    expect(runs.length).toBeLessThanOrEqual(bad.length * 2 * Math.ceil(Math.log2(100)) + 1);
  },
);

test('a batch of bad rows alone takes at most twice as many runs as rows', async () => {
  const { runs, run } = scene(new Map(items.map((item) => [item, notStorable])));
  expect(failedOnes(await splitBatch(items, run))).toEqual(items);
  expect(runs.length).toBeLessThan(200);
});

test.each([
  ['the database is busy', deadlock],
  ['the database is away', new DatabaseUnavailableError(new Error('read ECONNRESET'))],
  ['a refusal of them all', new ConflictError('no_phone', 'No phone')],
])('nothing is split when %s', async (_case, error) => {
  const { runs, run } = scene(new Map([[41, error]]));
  const settled = await splitBatch(items, run);
  expect(failedOnes(settled)).toEqual(items);
  expect(runs).toHaveLength(1);
});

test('items stored before the connection to the database fails stay stored; the rest fail with that error', async () => {
  const { run, stored } = scene(new Map([[1, notStorable]]));
  const settled = await splitBatch([0, 1, 2, 3], async (part) => {
    if (part.includes(3) && part.length < 4) throw deadlock;
    return run(part);
  });
  expect(stored).toEqual([0]);
  expect(settled).toEqual([
    { status: 'fulfilled', value: 0 },
    { status: 'rejected', reason: notStorable },
    { status: 'rejected', reason: deadlock },
    { status: 'rejected', reason: deadlock },
  ]);
});

test('too few results are a fault of each', async () => {
  const settled = await splitBatch([1, 2], () => Promise.resolve([]));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
