import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import { isStillTrue } from './is-still-true.ts';
import type { NoticeOccasion } from '../tables.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

type Row = [NoticeOccasion, Date | null, SubscriptionStatus, Date | number | null, boolean];

test.each<Row>([
  ['payment_failed', days(2), 'past_due', days(2), true],
  ['payment_failed', days(2), 'active', Infinity, false],
  ['payment_failed', days(-1), 'suspended', days(-1), false],
  ['payment_failed', days(2), 'past_due', Infinity, false],
  ['access_ends', days(2), 'cancelled', days(2), true],
  ['access_ends', days(2), 'active', Infinity, false],
  ['access_ends', days(2), 'cancelled', Infinity, false],
  ['access_ends', days(-1), 'expired', days(-1), false],
  ['access_ended', days(-1), 'expired', days(-1), true],
  ['access_ended', days(-1), 'suspended', null, true],
  ['access_ended', days(-1), 'suspended', Infinity, false],
  ['phones_signed_out', days(-31), 'expired', days(-31), true],
  ['phones_signed_out', days(-31), 'expired', Infinity, false],
  ['welcome_back', null, 'active', Infinity, true],
  ['welcome_back', null, 'expired', days(-1), false],
])(
  '%s until %s, the subscription %s and the account open until %s: %s',
  (occasion, accessEndsAt, status, until, is) => {
    expect(isStillTrue({ occasion, accessEndsAt }, { status, accountUntil: until }, now)).toBe(is);
  },
);
