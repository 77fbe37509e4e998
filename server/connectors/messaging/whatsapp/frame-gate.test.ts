import { expect, test } from 'vitest';
import { createFrameGate } from './frame-gate.ts';

test('frames wait for what came before them, in order, and for nothing that came later', async () => {
  const failures: unknown[] = [];
  const gate = createFrameGate((error) => failures.push(error));
  const written: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();

  gate.pass(() => written.push('free'));
  gate.waitFor(first.promise);
  gate.pass(() => written.push('after first'));
  gate.waitFor(second.promise);
  gate.pass(() => written.push('after both'));
  expect(written).toEqual(['free']);

  first.resolve();
  await expect.poll(() => written).toEqual(['free', 'after first']);
  second.resolve();
  await gate.idle();
  expect(written).toEqual(['free', 'after first', 'after both']);
  gate.pass(() => written.push('free again'));
  expect(written.at(-1)).toBe('free again');
  expect(failures).toEqual([]);
});

test('a failure is reported once and nothing is written any more', async () => {
  const failures: unknown[] = [];
  const gate = createFrameGate((error) => failures.push(error));
  const written: string[] = [];
  const work = Promise.withResolvers<void>();
  gate.waitFor(work.promise);
  gate.pass(() => written.push('never'));

  work.reject(new Error('not stored'));
  await gate.idle();
  gate.pass(() => written.push('never either'));

  expect(written).toEqual([]);
  expect(failures).toEqual([new Error('not stored')]);
});
