import { expect, test } from 'vitest';
import { createTypingGate } from './typing-gate.ts';

const ada = { number: '14155550132' };

test.each<[string, [at: number, isTyping: boolean][], boolean[]]>([
  ['the first word', [[0, true]], [true]],
  ['who stops that never began', [[0, false]], [false]],
  [
    'the same again at once, and after a while',
    [
      [0, true],
      [4_999, true],
      [5_000, true],
    ],
    [true, false, true],
  ],
  [
    'each change',
    [
      [0, true],
      [10, false],
      [20, true],
    ],
    [true, true, true],
  ],
  [
    'who has stopped, again',
    [
      [0, true],
      [10, false],
      [9_000, false],
    ],
    [true, true, false],
  ],
])('%s', (_title, words, passed) => {
  let now = 0;
  const isNews = createTypingGate(() => now);
  expect(
    words.map(([at, isTyping]) => {
      now = at;
      return isNews(ada, isTyping);
    }),
  ).toEqual(passed);
});

test('of a flood ten a second pass', () => {
  let now = 0;
  const isNews = createTypingGate(() => now);
  const flood = () => Array.from({ length: 500 }, (_, index) => isNews({ lid: `${index}` }, true)).filter(Boolean);
  expect(flood()).toHaveLength(10);
  now = 1_000;
  expect(flood()).toHaveLength(10);
});
