import { expect, test } from 'vitest';
import { outcomesPollMs } from './with-report.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');

test.each([
  ['a second ago', '2026-11-20T11:59:59.000Z', 2000],
  ['three minutes ago', '2026-11-20T11:57:00.000Z', 15_000],
  ['not yet', null, 15_000],
])('outcomes of a run that was over %s are asked for often enough', (_, finishedAt, expected) => {
  expect(outcomesPollMs(finishedAt, now)).toBe(expected);
});
