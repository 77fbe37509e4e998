import { expect, test } from 'vitest';
import type { SettledOutcome } from './outcome.ts';
import { isKeyForgotten, restoreRun } from './restore-run.ts';
import type { RunStatus, StoredRun } from './run-storage.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const minuteMs = 60_000;

function storedRun(status: RunStatus, agoMs: number): StoredRun {
  return {
    upload: { id: 'u', fileName: 'a.csv', fileBytes: 9, contacts: [], skipped: 0 },
    setup: undefined,
    plan: { projectId: 3, delayMs: 0, message: 'Hi', queue: Int32Array.of(0, 2, 5) },
    progress: { status, savedAt: now - agoMs },
    outcomes: new Map<number, SettledOutcome>([[0, { status: 'sent' }]]),
  };
}

test.each([
  ['running', minuteMs, { status: 'paused', goesOn: true, sent: 1, failed: 0 }],
  ['running', 60 * minuteMs, { status: 'paused', goesOn: false, sent: 1, failed: 0 }],
  ['paused', minuteMs, { status: 'paused', goesOn: false, sent: 1, failed: 0 }],
  ['completed', minuteMs, { status: 'completed', goesOn: false }],
] as const)('%s, %d ms ago', (status, agoMs, restored) => {
  expect(restoreRun(storedRun(status, agoMs), now)).toMatchObject(restored);
});

test.each([
  ['running', undefined, 2],
  ['paused', 5, 5],
  ['paused', undefined, undefined],
  ['paused', 0, undefined],
] as const)('%s, with row %s under way: tried and not answered is row %s', (status, underWay, tried) => {
  const stored = storedRun(status, 25 * 60 * minuteMs);
  const progress = { ...stored.progress, status, savedAt: now - minuteMs, tried: underWay };
  const expected = tried === undefined ? undefined : { index: tried, at: now - minuteMs };
  expect(restoreRun({ ...stored, progress }, now)?.tried).toEqual(expected);
});

test.each([
  [22, false],
  [23, true],
])('after %d hours a key is forgotten: %s', (hours, isForgotten) => {
  expect(isKeyForgotten(now - hours * 60 * minuteMs, now)).toBe(isForgotten);
});

test('a file without a run', () => {
  expect(restoreRun({ ...storedRun('running', 0), plan: undefined }, now)).toBeUndefined();
});
