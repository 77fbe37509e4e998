import { describe, expect, test } from 'vitest';
import { BusyError } from './errors.ts';
import { createFairLimit } from './fair-limit.ts';

const refusal = () => new BusyError('Too much at once', 2);

/** A limit that runs one piece of work at a time; `finish` ends it. Answers what ran, in order. */
function setUp(maxWaiting: number) {
  const limit = createFairLimit({ maxRunning: 1, maxWaiting, refusal });
  const ran: string[] = [];
  const gate = Promise.withResolvers<void>();
  const blocker = limit.run({ key: 'blocker', isKnown: false }, () => gate.promise);
  const add = (key: string, isKnown = false) =>
    limit
      .run({ key, isKnown }, async () => void ran.push(key))
      .then(
        () => 'done',
        (error: unknown) => (error instanceof BusyError ? 'busy' : 'broken'),
      );
  const open = async () => {
    gate.resolve();
    await blocker;
  };
  return { add, open, ran };
}

test('shares take turns, whoever came with how much', async () => {
  const { add, open, ran } = setUp(100);
  const all = ['a', 'a', 'a', 'b', 'c', 'c'].map((key) => add(key));
  await open();
  await Promise.all(all);
  expect(ran).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
});

test('known shares go first, and strangers get every fourth turn', async () => {
  const { add, open, ran } = setUp(100);
  const all = [
    ...Array.from({ length: 3 }, () => add('stranger')),
    ...Array.from({ length: 6 }, () => add('owner', true)),
  ];
  await open();
  await Promise.all(all);
  expect(ran).toEqual(['owner', 'owner', 'owner', 'stranger', 'owner', 'owner', 'owner', 'stranger', 'stranger']);
});

test('in a full queue the place goes to whoever waits with less', async () => {
  const { add, open } = setUp(4);
  const heavy = Array.from({ length: 4 }, () => add('heavy'));
  const light = add('light');
  const fifth = add('heavy');
  await open();
  expect(await Promise.all(heavy)).toEqual(['done', 'done', 'done', 'busy']);
  expect(await light).toBe('done');
  expect(await fifth).toBe('busy');
});

test('a queue full of strangers, each with one, has a place for whoever is known', async () => {
  const { add, open, ran } = setUp(3);
  const strangers = ['a', 'b', 'c'].map((key) => add(key));
  const another = add('d');
  const owner = add('owner', true);
  await open();
  expect(await another).toBe('busy');
  expect(await owner).toBe('done');
  expect((await Promise.all(strangers)).filter((outcome) => outcome === 'busy')).toHaveLength(1);
  expect(ran[0]).toBe('owner');
});

test('a piece that fails passes its turn on', async () => {
  const limit = createFairLimit({ maxRunning: 1, maxWaiting: 10, refusal });
  const share = { key: 'a', isKnown: false };
  const failing = limit.run(share, () => Promise.reject(new Error('no')));
  const next = limit.run(share, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(await limit.run(share, async () => 'again')).toBe('again');
});

describe('with one place for each share', () => {
  function setUpShares(maxWaitMs?: number) {
    const limit = createFairLimit({
      maxRunning: 2,
      maxOfShare: 1,
      maxWaiting: 10,
      ...(maxWaitMs !== undefined && { maxWaitMs }),
      refusal,
    });
    return (key: string, work: Promise<void>) => limit.run({ key, isKnown: true }, () => work);
  }

  test('a share that does much never has the last place, and goes on when it is done with the first', async () => {
    const run = setUpShares();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const heavy = [run('heavy', first.promise), run('heavy', second.promise)];
    await run('light', Promise.resolve());
    await run('another', Promise.resolve());
    first.resolve();
    await heavy[0];
    second.resolve();
    await heavy[1];
    await run('heavy', Promise.resolve());
  });

  test('a caller that has waited too long is refused, and its place is free for others', async () => {
    const run = setUpShares(20);
    const blocker = Promise.withResolvers<void>();
    const blocked = run('heavy', blocker.promise);
    await expect(run('heavy', Promise.resolve())).rejects.toBeInstanceOf(BusyError);
    blocker.resolve();
    await blocked;
    await run('heavy', Promise.resolve());
  });
});
