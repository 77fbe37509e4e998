import { expect, test } from 'vitest';
import type { LiveEvent } from '#contracts/live.ts';
import { createRecentEvents } from './recent-events.ts';

const flow = (id: number): LiveEvent => ({ type: 'flows.changed', flow_id: id });

test('an account gets its own events since the moment, in their order', () => {
  const recent = createRecentEvents(0);
  recent.add(1, flow(1), 100);
  recent.add(1, flow(2), 200);
  recent.add(2, flow(3), 200);
  recent.add(1, flow(4), 300);
  expect(recent.since(1, 200)).toEqual([flow(2), flow(4)]);
  expect(recent.since(2, 0)).toEqual([flow(3)]);
  expect(recent.since(3, 0)).toEqual([]);
});

test('before the beginning, and before a gap, nothing is known', () => {
  const recent = createRecentEvents(1_000);
  expect(recent.since(1, 999)).toEqual([{ type: 'resync' }]);
  expect(recent.since(1, 1_000)).toEqual([]);
  recent.add(1, flow(1), 1_500);
  recent.forget(2_000);
  expect(recent.since(1, 1_999)).toEqual([{ type: 'resync' }]);
  expect(recent.since(1, 2_000)).toEqual([]);
});

test('the last thirty seconds are always known, however long it goes on', () => {
  const recent = createRecentEvents(0);
  for (let atMs = 0; atMs <= 200_000; atMs += 1_000) {
    recent.add(1, flow(atMs + 1), atMs);
    const expected = Array.from({ length: Math.min(atMs / 1_000, 30) + 1 }, (_, back) => flow(atMs - back * 1_000 + 1));
    expect(recent.since(1, Math.max(0, atMs - 30_000))).toEqual(expected.toReversed());
  }
  expect(recent.since(1, 100_000)).toEqual([{ type: 'resync' }]);
});

test('a flood is forgotten sooner, and says so', () => {
  const recent = createRecentEvents(0, 10);
  for (let count = 1; count <= 25; count += 1) recent.add(1, flow(count), count);
  expect(recent.since(1, 5)).toEqual([{ type: 'resync' }]);
  expect(recent.since(1, 20)).toEqual([20, 21, 22, 23, 24, 25].map(flow));
});
