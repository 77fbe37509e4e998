import { expect, test } from 'vitest';
import type { SettledOutcome } from './outcome.ts';
import { findUncertainRow, restoreRun } from './restore-run.ts';
import type { RunStatus, StoredRun } from './run-storage.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const minuteMs = 60_000;

function storedRun(status: RunStatus, agoMs: number): StoredRun {
  return {
    upload: { id: 'u', fileName: 'a.csv', fileBytes: 9, contacts: [], skipped: 0 },
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
  ['running', 25, 2],
  ['running', 1, undefined],
  ['paused', 25, undefined],
] as const)('%s, %d hours ago: the row under way that cannot be tried again is %s', (status, hours, row) => {
  expect(findUncertainRow(storedRun(status, hours * 60 * minuteMs), now)).toBe(row);
});

test('a file without a run', () => {
  expect(restoreRun({ ...storedRun('running', 0), plan: undefined }, now)).toBeUndefined();
});
