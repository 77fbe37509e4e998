import { describe, expect, test } from 'vitest';
import { handOversAtOnce, phonesToHandOver, phonesToTake, shareOf } from './share.ts';

describe('a share', () => {
  test.each([
    [1, 10, 10],
    [2, 10, 5],
    [3, 10, 4],
    [3, 2, 1],
    [2, 0, 0],
    [0, 7, 7],
  ])('of %i workers in %i phones is %i', (workers, phones, share) => {
    expect(shareOf({ workers, phones })).toBe(share);
  });
});

describe('free phones', () => {
  const most = 1_000;
  test.each([
    ['a single worker takes all', { workers: 1, phones: 10, free: 10 }, { held: 0, most, isOverdue: false }, 10],
    ['one of two takes half', { workers: 2, phones: 10, free: 10 }, { held: 0, most, isOverdue: false }, 5],
    ['who has its share takes none', { workers: 2, phones: 10, free: 5 }, { held: 5, most, isOverdue: false }, 0],
    [
      'who has more than its share takes none',
      { workers: 2, phones: 4, free: 1 },
      { held: 3, most, isOverdue: false },
      0,
    ],
    ['no more than there are', { workers: 2, phones: 10, free: 2 }, { held: 0, most, isOverdue: false }, 2],
    [
      'what is overdue goes to whoever asks',
      { workers: 2, phones: 10, free: 5 },
      { held: 5, most, isOverdue: true },
      5,
    ],
    [
      'never above what a worker may hold',
      { workers: 2, phones: 10, free: 5 },
      { held: 5, most: 7, isOverdue: true },
      2,
    ],
    ['a full worker takes none', { workers: 1, phones: 10, free: 5 }, { held: 5, most: 5, isOverdue: false }, 0],
  ])('%s', (_name, balance, own, taken) => {
    expect(phonesToTake(balance, own)).toBe(taken);
  });
});

describe('a surplus', () => {
  test.each([
    ['nobody else: nothing is given up', { workers: 1, phones: 10, free: 0 }, { held: 10, underWay: 0 }, 0],
    ['one more than the share', { workers: 2, phones: 10, free: 0 }, { held: 6, underWay: 0 }, 1],
    ['of an odd number the larger half is no surplus', { workers: 2, phones: 9, free: 0 }, { held: 5, underWay: 0 }, 0],
    ['a few at a time', { workers: 2, phones: 100, free: 0 }, { held: 100, underWay: 0 }, handOversAtOnce],
    ['those that nobody has taken yet count', { workers: 2, phones: 100, free: 3 }, { held: 97, underWay: 3 }, 1],
    [
      'while as many as may are under way none follows',
      { workers: 2, phones: 100, free: 4 },
      { held: 96, underWay: 4 },
      0,
    ],
    ['who has less than its share gives nothing', { workers: 2, phones: 10, free: 0 }, { held: 3, underWay: 0 }, 0],
  ])('%s', (_name, balance, own, given) => {
    expect(phonesToHandOver(balance, own)).toBe(given);
  });

  test.each([
    [1, [10, 0]],
    [2, [100, 0, 0]],
    [3, [7, 3, 0, 0, 1]],
    [4, [0, 0, 0]],
    [5, [1, 0, 0]],
  ])('workers that hold %i: %j end even after a bounded number of hand-overs, and stay so', (_number, start) => {
    const held = [...start];
    const phones = held.reduce((sum, count) => sum + count, 0);
    const workers = held.length;
    let handOvers = 0;
    for (let round = 0; round < phones + 1; round += 1) {
      let free = 0;
      held.forEach((count, worker) => {
        const given = phonesToHandOver({ workers, phones, free }, { held: count, underWay: 0 });
        held[worker] = count - given;
        free += given;
      });
      handOvers += free;
      held.forEach((count, worker) => {
        const taken = phonesToTake({ workers, phones, free }, { held: count, most: 1_000, isOverdue: false });
        held[worker] = count + taken;
        free -= taken;
      });
      expect(free).toBe(0);
    }
    const share = shareOf({ workers, phones });
    expect(Math.max(...held)).toBeLessThanOrEqual(share);
    // Each moved once at the most.
    expect(handOvers).toBe(start.reduce((sum, count) => sum + Math.max(0, count - share), 0));
  });
});
