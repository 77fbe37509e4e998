import { expect, test } from 'vitest';
import { compareWeeks } from './compare-weeks.ts';

const daysOf = (...sent: number[]) =>
  sent.map((count, index) => ({ date: `2026-11-${index + 1}`, sent: count, delivered: 0, failed: 0, received: 0 }));
const week = (sent: number) => Array.from({ length: 7 }, () => sent);

test.each([
  ['growth', daysOf(...week(2), ...week(3)), 21, 14, 0.5],
  ['a loss', daysOf(...week(4), ...week(3)), 21, 28, -0.25],
  ['nothing before', daysOf(...week(0), ...week(3)), 21, 0, undefined],
  ['nothing at all', daysOf(...week(0), ...week(0)), 0, 0, undefined],
  ['more days than asked for', daysOf(100, ...week(1), ...week(1)), 7, 7, 0],
])('%s', (_name, days, sent, before, growth) => {
  expect(compareWeeks(days)).toEqual({ sent, before, growth });
});
