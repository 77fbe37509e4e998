import { beforeEach, expect, test } from 'vitest';
import { createPairPace } from './pair-pace.ts';
import type { PairPace } from './pair-pace.ts';

const person = '4915130001000';
let now = 0;
let pace: PairPace;

beforeEach(() => {
  now = 1_000;
  pace = createPairPace(() => now);
});

const take = (times: number) => Array.from({ length: times }, () => pace.take(person));
const zeros = (count: number) => Array.from({ length: count }, () => 0);

test('45 messages within six seconds go, and the next waits until the time of all has passed', () => {
  expect(take(45)).toEqual(zeros(45));
  expect(take(1)).toEqual([270_000]);
  now += 270_000;
  expect(take(1)).toEqual([0]);
});

test('20 at once are paid back by two minutes', () => {
  take(20);
  now += 6_000;
  expect(take(1)).toEqual([114_000]);
  now += 114_000;
  expect(take(1)).toEqual([0]);
});

test('a message in six seconds never waits', () => {
  for (let sent = 0; sent < 100; sent += 1) {
    expect(take(1)).toEqual([0]);
    now += 6_000;
  }
});

test('several that wait get turns one after another, and each goes at its turn', () => {
  take(45);
  expect(take(3)).toEqual([270_000, 276_000, 282_000]);
  for (let turn = 0; turn < 3; turn += 1) {
    now += turn === 0 ? 270_000 : 6_000;
    expect(take(1)).toEqual([0]);
  }
});

test('another person waits for nobody', () => {
  take(45);
  expect(pace.take('351912345678')).toBe(0);
});
