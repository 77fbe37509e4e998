import { expect, test } from 'vitest';
import { createHeldRefusals } from './held-refusals.ts';

function scene() {
  const waits: { ms: number; end(): void }[] = [];
  const refusals = createHeldRefusals((ms) => new Promise((end) => waits.push({ ms, end })));
  return { refusals, waits };
}

const waitsOf = (waits: readonly { ms: number }[]) => waits.map(({ ms }) => ms);

test('a refusal is held for a second', () => {
  const { refusals, waits } = scene();
  void refusals.hold(1);
  void refusals.hold(2);
  expect(waitsOf(waits)).toEqual([1_000, 1_000]);
});

test('of one key no more than 20 come in a second, however many ask; another key does not wait for them', () => {
  const { refusals, waits } = scene();
  for (let count = 0; count < 110; count += 1) void refusals.hold(1);
  expect(waits.at(-1)?.ms).toBe(5_500);
  void refusals.hold(2);
  expect(waits.at(-1)?.ms).toBe(1_000);
});

test('nobody is held for longer than 20 seconds', () => {
  const { refusals, waits } = scene();
  for (let count = 0; count < 1_000; count += 1) void refusals.hold(1);
  expect(waits.at(-1)?.ms).toBe(20_000);
});

test('once they have been answered, the next is held for a second again', async () => {
  const { refusals, waits } = scene();
  const held = Array.from({ length: 100 }, () => refusals.hold(1));
  for (const { end } of waits) end();
  await Promise.all(held);
  void refusals.hold(1);
  expect(waits.at(-1)?.ms).toBe(1_000);
});
