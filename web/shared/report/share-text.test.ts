import { expect, test } from 'vitest';
import { shareText } from './share-text.ts';

test.each([
  [0, 0, '–'],
  [0, 10, '0%'],
  [10, 10, '100%'],
  [1, 3, '33.3%'],
  [7978, 8291, '96.2%'],
  [1, 10_000, 'under 0.1%'],
  [9_999, 10_000, '99.9%'],
])('%i of %i is %s', (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});
