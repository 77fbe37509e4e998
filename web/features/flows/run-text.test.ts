import { expect, test } from 'vitest';
import { runText } from './run-text.ts';

test.each([
  [{ matched: 0, queued: 0, skipped: 0 }, 'No profile matches now'],
  [{ matched: 1, queued: 1, skipped: 0 }, '1 message queued'],
  [{ matched: 0, queued: 3, skipped: 0, is_estimate: true }, '3 messages queued'],
  [{ matched: 12_000, queued: 9000, skipped: 310, is_estimate: true }, '9,000 messages queued, about 310 skipped'],
  [{ matched: 1250, queued: 1249, skipped: 1 }, '1,249 messages queued, 1 skipped'],
  [{ matched: 5, queued: 0, skipped: 2 }, 'No message queued: whoever matches had it already'],
  [{ matched: 2, queued: 0, skipped: 2 }, '0 messages queued, 2 skipped'],
])('%j reads “%s”', (run, text) => {
  expect(runText(run)).toBe(text);
});
