import { describe, expect, test } from 'vitest';
import { allowanceDay } from './allowance-day.ts';
import { newHealth, noFates } from './health.ts';
import type { PhoneHealth } from './health.ts';
import { allowancesOf, assess } from './assess.ts';
import { applySignal, isRestAfterSecond, judgeDeliveries, rememberCeiling } from './signals.ts';
import type { HealthSignal } from './signals.ts';

const now = new Date('2026-01-14T12:00:00Z');
const day = allowanceDay(now, 'UTC');
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const refused = (contact: 'first' | 'known', isActive?: boolean, endsAt: Date | null = null): HealthSignal => ({
  kind: 'refused',
  contact,
  timeLock: isActive === undefined ? undefined : { isActive, endsAt },
  knownRefused: contact === 'known' ? 1 : 0,
});
const threeKnown = (isActive: boolean): HealthSignal => ({
  kind: 'refused',
  contact: 'known',
  timeLock: { isActive, endsAt: null },
  knownRefused: 3,
});
const applied = (health: Partial<PhoneHealth>, signal: HealthSignal) =>
  applySignal({ ...newHealth, ...health }, signal, now, day);

const canary = (scope: 'first' | 'all') => ({ step: 'canary', scope, sentAt: null });
const limit = (until: Date, scope: 'first' | 'all', code: string) => ({
  limit: { until, scope, code },
  recovery: canary(scope),
});
const tenMinutes = 1 / 6;
const capped = (status: string | null, used: number, total = 1000): HealthSignal => ({
  kind: 'cap',
  status,
  used,
  total,
  endsAt: inHours(24),
});
const running = { limit: { until: inHours(5), scope: 'all', code: 'known_refused' } } as const;

describe('the change of health after a signal', () => {
  test.each<[string, Partial<PhoneHealth>, HealthSignal, object]>([
    [
      '463 under a time-lock: its end and ten minutes',
      {},
      refused('first', true, inHours(2)),
      limit(inHours(2 + tenMinutes), 'first', 'time_lock'),
    ],
    [
      'a time-lock without an end lasts a day',
      {},
      refused('first', true),
      limit(inHours(24 + tenMinutes), 'first', 'time_lock'),
    ],
    [
      '463 without a lock: this contact alone',
      {},
      refused('first', false),
      { limit: null, recovery: null, refusedAt: now },
    ],
    [
      'a second within a day',
      { refusedAt: inHours(-23) },
      refused('first', false),
      limit(inHours(24), 'first', 'refused_twice'),
    ],
    ['a second after a day', { refusedAt: inHours(-24) }, refused('first', false), { limit: null, refusedAt: now }],
    ['nobody knows of a lock: as without', {}, refused('first'), { limit: null, refusedAt: now }],
    ['463 for somebody known without a lock: this contact alone', {}, refused('known', false), { limit: null }],
    ['nobody knows of a lock: this known contact alone', {}, refused('known'), { limit: null }],
    ['three known within an hour stop the phone', {}, threeKnown(false), limit(inHours(24), 'all', 'known_refused')],
    [
      'until the end of the lock, where there is one',
      {},
      refused('known', true, inHours(2)),
      limit(inHours(2 + tenMinutes), 'all', 'known_refused'),
    ],
    [
      'a shorter limit does not shorten one',
      running,
      refused('first', true, inHours(1)),
      limit(inHours(5), 'all', 'known_refused'),
    ],
    [
      'a longer one keeps who is stopped',
      running,
      refused('first', true, inHours(9)),
      limit(inHours(9 + tenMinutes), 'all', 'time_lock'),
    ],
    [
      'told of a lock',
      {},
      { kind: 'time_lock', timeLock: { isActive: true, endsAt: inHours(2) } },
      limit(inHours(2 + tenMinutes), 'first', 'time_lock'),
    ],
    [
      'told of one whose end has passed',
      {},
      { kind: 'time_lock', timeLock: { isActive: true, endsAt: inHours(-1) } },
      { limit: null, lockedAt: null },
    ],
    ['told of none', {}, { kind: 'time_lock', timeLock: { isActive: false, endsAt: null } }, { limit: null }],
    [
      '402',
      {},
      { kind: 'locked', until: inHours(3), reason: 'because' },
      { lock: { until: inHours(3), reason: 'because' }, recovery: canary('all'), lockedAt: now },
    ],
    [
      'the canary is delivered',
      limit(inHours(-1), 'first', 'time_lock') as PhoneHealth,
      { kind: 'canary_delivered' },
      { recovery: { step: 'share', scope: 'first', since: '2026-01-14' }, judgedFrom: now },
    ],
    ['no cap', {}, capped(null, 5, -1), { cap: null }],
    ['a cap', {}, capped('NONE', 799), { cap: { status: 'NONE', used: 799, total: 1000, askedAt: now } }],
  ])('%s', (_case, health, signal, expected) => {
    expect(applied(health, signal)).toMatchObject(expected);
  });

  test('linked, a phone begins on day 1; linked anew, at half', () => {
    const linked = applied({}, { kind: 'linked' });
    expect(linked).toMatchObject({ linkedAt: now, rampDay: 1, rampOn: '2026-01-14' });
    expect(applySignal({ ...linked, rampDay: 20 }, { kind: 'linked' }, inHours(1), day).rampDay).toBe(10);
  });
});

describe('after a lock', () => {
  const locked = refused('first', true, inHours(2));
  const at = (health: PhoneHealth, hours: number, maxDaily = 1_000) => {
    const moment = inHours(hours);
    const fates = { ...noFates };
    const input = { fates, day: allowanceDay(moment, 'UTC'), now: moment, maxDaily };
    return allowancesOf({ ...health, recovery: null }, input).first;
  };
  const warm = { ...newHealth, linkedAt: inHours(-900), rampDay: 29 };

  test('four weeks stay below 80 % of what the lock came at, and four more below that', () => {
    const after = { ...rememberCeiling(warm, applySignal(warm, locked, now, day), 50, now), rampDay: 29 };
    expect([at(after, 24), at(after, 27 * 24), at(after, 29 * 24), at(after, 57 * 24)]).toEqual([39, 39, 49, 100]);
  });

  test('the same lock told of again, and one that no first contact came before, change no ceiling', () => {
    const once = rememberCeiling(warm, applySignal(warm, locked, now, day), 50, now);
    const again = applySignal(once, locked, inHours(1), day);
    expect(rememberCeiling(once, again, 2, inHours(1))).toMatchObject({
      lockedAt: now,
      ceiling: { firsts: 50, at: now },
    });
    expect(rememberCeiling(warm, applySignal(warm, locked, now, day), 0, now).ceiling).toBeNull();
  });
});

test('5 % of the last 50 messages that were answered by opting out are watched', () => {
  const of = (optedOut: number, count = 50) =>
    assess({ ...newHealth }, { ...noFates, lately: { count, optedOut } }, now).code;
  expect([of(2), of(3), of(3, 49)]).toEqual([null, 'many_opted_out', null]);
});

test('a limit takes a step of the warm-up back, once; a lock takes none, as its ceiling holds', () => {
  const refusedAt = inHours(-1);
  const once = applied({ rampDay: 16, refusedAt }, refused('first', false, null));
  expect(once.rampDay).toBe(8);
  expect(applySignal(once, refused('first', false, null), now, day).rampDay).toBe(8);
  expect(applied({ rampDay: 16 }, refused('first', true, inHours(2))).rampDay).toBe(16);
});

describe('where nothing arrives', () => {
  const fates = (count: number, delivered: number) => ({ ...noFates, last10: { count, delivered } });

  test.each<[string, Partial<PhoneHealth>, number, number, boolean]>([
    ['none of 10 delivered: all stops for a day', {}, 10, 0, true],
    ['one of 10', {}, 10, 1, false],
    ['none of 9', {}, 9, 0, false],
    ['a canary is out already', { recovery: { step: 'canary', scope: 'all', sentAt: now } }, 10, 0, false],
  ])('%s', (_case, health, count, delivered, stops) => {
    const judged = judgeDeliveries({ ...newHealth, ...health }, fates(count, delivered), now);
    expect(judged.limit?.code === 'nothing_delivered').toBe(stops);
  });
});

describe('a second lock within 30 days', () => {
  const daysAgo = (days: number) => inHours(-24 * days);
  const after = (health: Partial<PhoneHealth>) => applied(health, refused('first', true, inHours(24)));

  test('stops first contacts until the first one is 30 days ago, and says so', () => {
    const health = after({ lockedAt: daysAgo(12) });
    expect(health.limit).toEqual({ until: inHours(18 * 24 + tenMinutes), scope: 'first', code: 'time_lock' });
    expect(isRestAfterSecond(health)).toBe(true);
  });

  test.each<[string, Partial<PhoneHealth>]>([
    ['a first one', {}],
    ['a second one after 30 days', { lockedAt: daysAgo(30) }],
    ['a phone without protection', { lockedAt: daysAgo(12), isProtected: false }],
    [
      'the same lock told of again',
      { lockedAt: inHours(-1), limit: { until: inHours(23), scope: 'first', code: 'time_lock' } },
    ],
  ])('%s lasts as long as WhatsApp says', (_case, before) => {
    const health = after(before);
    expect(health.limit?.until).toEqual(inHours(24 + tenMinutes));
    expect(isRestAfterSecond(health)).toBe(false);
  });
});
