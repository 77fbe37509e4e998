import { describe, expect, test } from 'vitest';
import { createAdmissionGate } from './admission-gate.ts';
import type { Lane } from './admission-gate.ts';

function scene(maxRunning = 3) {
  const limits = {
    maxRunning,
    maxWaiting: { page: 3, scan: 2 },
    refusals: { hold: async () => undefined },
    refusal: () => new Error('refused'),
    pauseShare: 2,
    longestPauseMs: 500,
  };
  const time = { nowMs: 0 };
  const pauses: { ms: number; end(): void }[] = [];
  const gate = createAdmissionGate(limits, {
    nowMs: () => time.nowMs,
    wait: (ms) => new Promise((resolve) => pauses.push({ ms, end: resolve })),
  });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, key: number, lane: Lane, isPatient = false) =>
    gate.run({ key, lane, isPatient }, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  /** Ends a running piece; resolves once what comes after it has started. */
  async function end(name: string) {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { gate, ask, end, started, settled, time, pauses };
}

describe('the admission gate', () => {
  test('runs one of a key and lane at a time, in the order in which they were asked', async () => {
    const { ask, end, started, settled } = scene();
    const first = ask('first', 1, 'page');
    void ask('second', 1, 'page');
    await settled();
    expect(started).toEqual(['first']);
    await end('first');
    expect(await first).toBe('first');
    expect(started).toEqual(['first', 'second']);
  });

  test("a slow question does not hold up the same key's pages", async () => {
    const { ask, started, settled } = scene();
    void ask('question', 1, 'scan');
    void ask('list', 1, 'page');
    await settled();
    expect(started).toEqual(['question', 'list']);
  });

  test('the key that was served longest ago is next, however much another has waiting', async () => {
    const { ask, end, started, settled } = scene(1);
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 1, 'page');
    void ask('b1', 2, 'page');
    void ask('c1', 3, 'page');
    await settled();
    for (const name of ['a1', 'b1', 'c1', 'a2']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  test('questions never take the last place, which is for pages', async () => {
    const { ask, started, settled } = scene(3);
    for (const key of [1, 2, 3]) void ask(`question ${key}`, key, 'scan');
    void ask('list', 4, 'page');
    await settled();
    expect(started).toEqual(['question 1', 'question 2', 'list']);
  });

  test('a key with too much waiting is refused, and no other key is', async () => {
    const { ask, started, settled } = scene(1);
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 1, 'scan');
    await expect(ask('a4', 1, 'scan')).rejects.toThrow('refused');
    void ask('patient', 1, 'scan', true);
    void ask('b1', 2, 'scan');
    await settled();
    expect(started).toEqual(['a1']);
  });

  test('after patient work its lane pauses for a multiple of what it took; other lanes and keys do not', async () => {
    const { ask, end, started, settled, time, pauses } = scene();
    void ask('a1', 1, 'scan', true);
    void ask('a2', 1, 'scan', true);
    await settled();
    time.nowMs += 7;
    await end('a1');
    expect(pauses.map(({ ms }) => ms)).toEqual([14]);
    void ask('list', 1, 'page');
    void ask('b1', 2, 'scan', true);
    await settled();
    expect(started).toEqual(['a1', 'list', 'b1']);
    pauses[0]?.end();
    await settled();
    expect(started).toEqual(['a1', 'list', 'b1', 'a2']);
  });

  test('a pause has a bound, and what is asked after it runs at once', async () => {
    const { ask, end, started, settled, time, pauses } = scene();
    void ask('a1', 1, 'scan', true);
    await settled();
    time.nowMs += 9_000;
    await end('a1');
    expect(pauses.map(({ ms }) => ms)).toEqual([500]);
    pauses[0]?.end();
    await settled();
    void ask('a2', 1, 'scan');
    await settled();
    expect(started).toEqual(['a1', 'a2']);
    time.nowMs += 9_000;
    await end('a2');
    expect(pauses).toHaveLength(1);
  });

  test('work that fails frees its place', async () => {
    const { gate, ask, started, settled } = scene(1);
    await expect(gate.run({ key: 1, lane: 'scan' }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    void ask('next', 1, 'scan');
    await settled();
    expect(started).toEqual(['next']);
  });
});
