import { describe, expect, test } from 'vitest';
import { allowanceDay } from './allowance-day.ts';
import { assess } from './assess.ts';
import { newHealth, noFates } from './health.ts';
import type { Fates, PhoneHealth } from './health.ts';
import { drawGapMs, maySend, noHistory } from './may-send.ts';
import type { Recipient, SendHistory, Sender } from './may-send.ts';

const now = new Date('2026-01-14T12:00:00Z');
const moment = { now, day: allowanceDay(now, 'UTC'), timeZone: 'UTC' };
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const tomorrow = new Date('2026-01-15T09:00:00Z');

/** Linked for four weeks, and well. */
const warm: PhoneHealth = {
  ...newHealth,
  linkedAt: new Date('2025-12-10T12:00:00Z'),
  rampDay: 29,
  rampOn: '2026-01-14',
};
const first: Recipient = { contact: 'first', country: 'GB', mustWriteFirst: false };
const known: Recipient = { contact: 'known', country: 'GB', mustWriteFirst: false };

type Change = { health?: Partial<PhoneHealth>; history?: Partial<SendHistory>; fates?: Partial<Fates>; max?: number };

const sender = ({ health, history, fates, max = 1_000 }: Change): Sender => ({
  health: { ...warm, ...health },
  history: { ...noHistory, ...history },
  fates: { ...noFates, ...fates },
  maxDaily: max,
});

const told = (change: Change, recipient: Recipient) => {
  const verdict = maySend(sender(change), recipient, moment);
  return verdict.kind === 'later' ? [verdict.why, verdict.at] : verdict.kind;
};

const recent = { linkedAt: later(-3600), rampDay: 1 };
const poorly = { last30: { count: 30, delivered: 17 } };
const share = (since: string) => ({ recovery: { step: 'share', scope: 'first', since } as const });
const canary = (sentAt: Date | null) => ({ recovery: { step: 'canary', scope: 'first', sentAt } as const });
const timeLock = { limit: { until: later(900), scope: 'first', code: 'time_lock' } as const };
const stopped = { limit: { until: later(900), scope: 'all', code: 'known_refused' } as const };
const ceiling = (firsts: number) => ({ ceiling: { firsts, at: later(-86_400) } });
const lock = { lock: { until: later(7200), reason: '' } };
const used = (count: number) => ({ today: { first: count, known: count } });
const cap = (status: string, chats = 0) => ({
  cap: { status, used: chats, total: 1000, endsAt: later(86_400), askedAt: later(-60) },
});

describe('whether a phone may send a queued message now', () => {
  test.each<[string, Change, Recipient, unknown]>([
    ['a warm phone, somebody new', {}, first, 'now'],
    ['a warm phone, somebody known', {}, known, 'now'],
    ['refused before, somebody new has to write first', {}, { ...first, mustWriteFirst: true }, 'never'],
    ['refused, somebody known has to write again', {}, { ...known, mustWriteFirst: true }, 'never'],

    ['99 of 100 used', { history: used(99) }, first, 'now'],
    ['all used', { history: used(100) }, first, ['allowance', tomorrow]],
    ['near the ceiling of a lock', { health: ceiling(20), fates: { firstsOfDay: 14 } }, first, 'now'],
    [
      'at it in the last 24 hours',
      { health: ceiling(20), fates: { firstsOfDay: 15 } },
      first,
      ['allowance', later(3600)],
    ],
    ['at it, somebody known', { health: ceiling(20), fates: { firstsOfDay: 15 } }, known, 'now'],
    ['that many without a lock', { fates: { firstsOfDay: 15 } }, first, 'now'],
    ['the known have their own', { history: used(100) }, known, 'now'],
    ['all of theirs used', { history: used(1000) }, known, ['allowance', tomorrow]],
    ['never above the daily maximum', { history: used(5), max: 5 }, known, ['allowance', tomorrow]],
    [
      'day 1 has 10',
      { health: { ...recent, isOlderAccount: true }, history: used(10) },
      first,
      ['allowance', tomorrow],
    ],

    ['linked an hour ago, nobody new', { health: recent }, first, ['linked_recently', later(23 * 3600)]],
    ['unless the account is older', { health: { ...recent, isOlderAccount: true } }, first, 'now'],
    ['linked an hour ago, the known', { health: recent }, known, 'now'],

    ['amid the gap', { history: { firstGapEndsAt: later(30), gapEndsAt: later(2) } }, first, ['gap', later(30)]],
    [
      'the known wait for their own gap',
      { history: { firstGapEndsAt: later(30), gapEndsAt: later(2) } },
      known,
      ['gap', later(2)],
    ],
    ['at its end', { history: { firstGapEndsAt: now, gapEndsAt: now } }, first, 'now'],
    ['30 in the last hour', { history: { first30th: later(-3000) } }, first, ['hourly', later(600)]],
    ['the 30th an hour ago', { history: { first30th: later(-3600) } }, first, 'now'],
    ['8 in the last minute', { history: { known8th: later(-50) } }, known, ['hourly', later(10)]],
    ['200 in the last hour', { history: { known200th: later(-3000) } }, known, ['hourly', later(600)]],
    ['one in flight', { history: { isSending: true } }, known, ['in_flight', later(1)]],
    [
      'of several reasons the longest',
      { history: { ...used(100), firstGapEndsAt: later(30) } },
      first,
      ['allowance', tomorrow],
    ],

    ['night in Sydney', {}, { ...first, country: 'NZ' }, ['night', new Date('2026-01-14T20:00:00Z')]],
    ['the known are written to at night', {}, { ...known, country: 'NZ' }, 'now'],
    ['quiet hours off', { health: { hasQuietHours: false } }, { ...first, country: 'NZ' }, 'now'],

    ['a time-lock stops who is new', { health: timeLock }, first, ['limited', later(900)]],
    ['and nobody else', { health: timeLock }, known, 'now'],
    ['a refusal of somebody known stops all', { health: stopped }, known, ['limited', later(900)]],
    ['over, it stops nobody', { health: { limit: { ...stopped.limit, until: now } } }, known, 'now'],
    ['a locked account', { health: lock }, known, ['locked', later(7200)]],
    ['capped', { health: cap('CAPPED') }, first, ['capped', later(86_400)]],
    ['capped, the known', { health: cap('CAPPED') }, known, 'now'],
    ['79 % of the cap', { health: cap('NONE', 799), history: used(99) }, first, 'now'],
    ['half at 80 %', { health: cap('NONE', 800), history: used(50) }, first, ['allowance', tomorrow]],
    [
      'what was sent since counts',
      { health: cap('NONE', 790), fates: { firstsSinceCap: 10 }, history: used(50) },
      first,
      ['allowance', tomorrow],
    ],
    ['all used since', { health: cap('NONE', 990), fates: { firstsSinceCap: 10 } }, first, ['capped', later(86_400)]],
    ['a cycle that has ended', { health: { cap: { ...cap('CAPPED').cap, endsAt: now } } }, first, 'now'],
    ['half at the first warning', { health: cap('FIRST_WARNING'), history: used(50) }, first, ['allowance', tomorrow]],
    [
      'a tenth at the second warning',
      { health: cap('SECOND_WARNING'), history: used(10) },
      first,
      ['allowance', tomorrow],
    ],
    ['up to a tenth', { health: cap('SECOND_WARNING'), history: used(9) }, first, 'now'],

    ['the canary goes', { health: canary(null) }, first, 'now'],
    ['and nothing after it', { health: canary(later(-60)) }, first, ['canary', later(86_340)]],
    ['but the known', { health: canary(later(-60)) }, known, 'now'],
    [
      'a quarter on the day of recovery',
      { health: share('2026-01-14'), history: used(25) },
      first,
      ['allowance', tomorrow],
    ],
    ['half on the next', { health: share('2026-01-13'), history: used(49) }, first, 'now'],
    ['half used on the next', { health: share('2026-01-13'), history: used(50) }, first, ['allowance', tomorrow]],
    ['all on the third', { health: share('2026-01-12'), history: used(99) }, first, 'now'],
    ['half while few are delivered', { fates: poorly, history: used(50) }, first, ['allowance', tomorrow]],
    ['half of the known, too', { fates: poorly, history: used(500) }, known, ['allowance', tomorrow]],

    [
      'unprotected, all at once',
      { health: { isProtected: false }, history: { ...used(9000), gapEndsAt: later(9) } },
      first,
      'now',
    ],
    ['a time-lock holds all the same', { health: { ...timeLock, isProtected: false } }, first, ['limited', later(900)]],
  ])('%s', (_case, change, recipient, expected) => {
    expect(told(change, recipient)).toEqual(expected);
  });
});

describe('how a phone stands', () => {
  test.each<[string, Change, string, string | null]>([
    ['well', {}, 'healthy', null],
    ['on day 12', { health: { rampDay: 12 } }, 'warming', 'warming_up'],
    ['just linked', { health: recent }, 'warming', 'linked_recently'],
    ['locked and limited', { health: { ...lock, ...timeLock } }, 'locked', 'account_locked'],
    ['limited', { health: timeLock }, 'limited', 'time_lock'],
    ['capped', { health: cap('CAPPED') }, 'capped', 'new_chat_cap'],
    ['warned of the cap', { health: cap('FIRST_WARNING') }, 'watch', 'cap_warning'],
    ['waiting for its canary', { health: canary(null) }, 'watch', 'canary'],
    ['recovering', { health: share('2026-01-13') }, 'watch', 'recovering'],
    ['17 of 30 delivered', { fates: poorly }, 'watch', 'few_delivered'],
    ['18 of 30 delivered', { fates: { last30: { count: 30, delivered: 18 } } }, 'healthy', null],
    ['none of 29 judged', { fates: { last30: { count: 29, delivered: 0 } } }, 'healthy', null],
  ])('%s', (_case, change, state, code) => {
    const { health, fates } = sender(change);
    expect(assess(health, fates, now)).toMatchObject({ state, code });
  });
});

test.each([
  ['first', 0, 45_000],
  ['first', 1, 120_000],
  ['known', 0, 3_000],
  ['known', 1, 8_000],
] as const)('the gap after a %s contact, drawn at %d, is %d ms', (contact, drawn, gapMs) => {
  expect(drawGapMs(contact, () => drawn)).toBe(gapMs);
});
