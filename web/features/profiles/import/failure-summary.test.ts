import { expect, test } from 'vitest';
import { failureSummary } from './failure-summary.ts';

test.each([
  [[], ''],
  [['Invalid number', null, 'Invalid number'], 'Invalid number (2)'],
  [
    ['Row 4 has the same number', 'Invalid number', 'Row 1,204 has the same number'],
    'The number is in an earlier row (2), Invalid number (1)',
  ],
])('of %j it says “%s”', (reasons, words) => {
  expect(failureSummary(reasons.map((reason) => ({ reason })))).toBe(words);
});
