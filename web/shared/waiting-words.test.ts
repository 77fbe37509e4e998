import { expect, test } from 'vitest';
import { WaitingReason } from '#contracts/waiting-reason.ts';
import { formatDateTime } from './time-format.ts';
import { waitingWords } from './waiting-words.ts';

const until = '2026-11-24T09:00:00.000Z';
const paced = WaitingReason.options.filter((reason) => reason.startsWith('phone_'));

test.each(paced)('a wait for the pace (%s) says when sending goes on, as far as that is known', (reason) => {
  expect(waitingWords(reason, until).remedy).toContain(`goes on by itself about ${formatDateTime(until)}`);
  expect(waitingWords(reason, null).remedy).toMatch(/It goes on by itself\.$/);
});

test('each reason has words of its own', () => {
  const shorts = WaitingReason.options.map((reason) => waitingWords(reason, null).short);
  expect(new Set(shorts).size).toBe(shorts.length);
});
