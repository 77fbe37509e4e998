import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beginTurn, createFairTurns } from './fair-turns.ts';
import type { FairWork } from './fair-turns.ts';

type Options = { maxRunning?: number; maxPerAccount?: number };

/** Turns whose ends the test decides; `started` names them as they begin. */
function makeTurns({ maxRunning = 1, maxPerAccount = 1 }: Options = {}) {
  const started: string[] = [];
  const underWay = new Map<string, () => void>();
  const turns = createFairTurns({
    maxRunning,
    maxPerAccount,
    run(work: FairWork) {
      const name = `${work.accountId}:${work.id}`;
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.set(name, resolve);
      return promise;
    },
  });
  const finish = async (name: string) => {
    underWay.get(name)?.();
    await nextTick();
  };
  return { turns, started, finish };
}

test('an account with one piece of work waits for one turn of an account with many', async () => {
  const { turns, started, finish } = makeTurns();
  for (const id of [1, 2, 3, 4]) turns.wake({ accountId: 1, id });
  turns.wake({ accountId: 2, id: 20 });
  await finish('1:1');
  await finish('2:20');
  await finish('1:2');
  expect(started).toEqual(['1:1', '2:20', '1:2', '1:3']);
});

test('accounts that always have more to do are served by turns', async () => {
  const { turns, started, finish } = makeTurns();
  for (const accountId of [1, 2, 3]) turns.wake({ accountId, id: accountId });
  for (let served = 0; served < 6; served += 1) {
    const name = started.at(-1) ?? '';
    const [accountId = 0] = name.split(':').map(Number);
    turns.wake({ accountId, id: accountId });
    await finish(name);
  }
  expect(started).toEqual(['1:1', '2:2', '3:3', '1:1', '2:2', '3:3', '1:1']);
});

test('a slow turn of one account leaves the other places to others', async () => {
  const { turns, started, finish } = makeTurns({ maxRunning: 2 });
  for (const id of [1, 2, 3]) turns.wake({ accountId: 1, id });
  turns.wake({ accountId: 2, id: 20 });
  turns.wake({ accountId: 3, id: 30 });
  await finish('2:20');
  expect(started).toEqual(['1:1', '2:20', '3:30']);
  await finish('1:1');
  expect(started).toEqual(['1:1', '2:20', '3:30', '1:2']);
});

test('work requested during its own turn gets another turn afterwards, never two at once', async () => {
  const { turns, started, finish } = makeTurns({ maxRunning: 3, maxPerAccount: 3 });
  turns.wake({ accountId: 1, id: 1 });
  turns.wake({ accountId: 1, id: 1 });
  turns.wake({ accountId: 1, id: 1 });
  expect(started).toEqual(['1:1']);
  await finish('1:1');
  expect(started).toEqual(['1:1', '1:1']);
  await finish('1:1');
  expect(started).toHaveLength(2);
});

test('a sooner request stands, a later one changes nothing, and what is due later holds up nobody', async () => {
  const { turns, started } = makeTurns({ maxRunning: 2 });
  turns.wake({ accountId: 1, id: 1 }, 60_000);
  turns.wake({ accountId: 2, id: 2 });
  expect(started).toEqual(['2:2']);
  turns.wake({ accountId: 1, id: 1 }, 5);
  turns.wake({ accountId: 1, id: 1 }, 60_000);
  await expect.poll(() => started).toEqual(['2:2', '1:1']);
});

test('stopping starts no more and waits for what is under way', async () => {
  const { turns, started, finish } = makeTurns();
  turns.wake({ accountId: 1, id: 1 });
  turns.wake({ accountId: 2, id: 2 });
  let isStopped = false;
  const stopped = turns.stop().then(() => (isStopped = true));
  await nextTick();
  expect(isStopped).toBe(false);
  await finish('1:1');
  await stopped;
  turns.wake({ accountId: 3, id: 3 });
  expect(started).toEqual(['1:1']);
});

test('a turn is over when its time is up, or the process is to stop', () => {
  const stopping = new AbortController();
  expect(beginTurn(stopping.signal, 0)()).toBe(true);
  const isOver = beginTurn(stopping.signal, 60_000);
  expect(isOver()).toBe(false);
  stopping.abort();
  expect(isOver()).toBe(true);
});
