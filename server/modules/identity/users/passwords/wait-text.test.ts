import { expect, test } from 'vitest';
import { waitText } from './wait-text.ts';

test.each([
  [1, 'a minute'],
  [60, 'a minute'],
  [61, '2 minutes'],
  [846, '15 minutes'],
  [3_600, '60 minutes'],
])('%i seconds are %s', (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
