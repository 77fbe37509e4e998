import { describe, expect, test } from 'vitest';
import { spreadAllowance } from './spread.ts';

const from = new Date('2026-11-21T10:00:00Z');
const after = (seconds: number) => new Date(from.getTime() + seconds * 1000);

/** Ten minutes for ten people; two more were skipped. */
const campaign = {
  spread_minutes: 10,
  spread_from: from,
  total_count: 12,
  skipped_count: 2,
  queued_count: 0,
  sent_count: 0,
  failed_count: 0,
};

describe('spreadAllowance', () => {
  test.each<
    [
      string,
      Partial<Omit<typeof campaign, 'spread_minutes'>> & { spread_minutes?: number | null },
      number,
      number,
      number | undefined,
    ]
  >([
    ['the first goes at once', {}, 0, 1, 60],
    ['and no other for a while', { sent_count: 1 }, 59, 0, 60],
    ['the second when its time has come', { sent_count: 1 }, 60, 1, 120],
    ['whatever became of the others counts', { sent_count: 1, failed_count: 1, queued_count: 1 }, 179, 0, 180],
    ['what could not go out is made up for', { sent_count: 1 }, 5 * 60, 5, 360],
    ['the last goes before the time is over', { sent_count: 9 }, 9 * 60, 1, undefined],
    ['all of them when it is over', {}, 3600, 10, undefined],
    ['nobody is left', { sent_count: 10 }, 3600, 0, undefined],
    ['ahead of its time, after a change', { sent_count: 4 }, 60, 0, 240],
    ['a clock that went back', { sent_count: 1 }, -600, 0, 60],
    ['without a duration all of them', { spread_minutes: null }, 0, 10, undefined],
  ])('%s', (_name, changes, seconds, count, next) => {
    expect(spreadAllowance({ ...campaign, ...changes }, after(seconds))).toEqual({
      count,
      nextAt: next === undefined ? undefined : after(next),
    });
  });

  test('followed from time to time, it hands out each at its time and nobody twice', () => {
    const odd = { ...campaign, total_count: 7, skipped_count: 0, spread_minutes: 1 };
    const times: number[] = [];
    for (let at: Date | undefined = from, sent = 0; at;) {
      const { count, nextAt } = spreadAllowance({ ...odd, sent_count: sent }, at);
      times.push(...Array<number>(count).fill(at.getTime() - from.getTime()));
      sent += count;
      at = nextAt;
    }
    expect(times).toEqual([0, 8572, 17143, 25715, 34286, 42858, 51429]);
  });
});
