import { expect, test } from 'vitest';
import { decideNotices } from './decide-notices.ts';
import type { SubscriptionChange } from './decide-notices.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

type Given = {
  before: SubscriptionChange['before']['status'];
  after: SubscriptionChange['after']['status'];
  until: Date | number | null;
  failedAt?: Date;
  /** The account's; without others the subscription's own. */
  accountBefore?: Date | number | null;
  accountAfter?: Date | number | null;
};

test.each<[string, Given, object[]]>([
  ['a first activation', { before: 'pending', after: 'active', until: Infinity }, []],
  ['a renewal', { before: 'active', after: 'active', until: Infinity, accountBefore: Infinity }, []],
  [
    'a failed payment',
    { before: 'active', after: 'past_due', until: days(3), failedAt: now, accountBefore: Infinity },
    [{ occasion: 'payment_failed', occurredAt: now, accessEndsAt: days(3) }],
  ],
  [
    'a payment that still fails',
    { before: 'past_due', after: 'past_due', until: days(1), failedAt: days(-2), accountBefore: days(1) },
    [],
  ],
  [
    'a failed payment beside a subscription that renews',
    {
      before: 'active',
      after: 'past_due',
      until: days(3),
      failedAt: now,
      accountBefore: Infinity,
      accountAfter: Infinity,
    },
    [],
  ],
  [
    'a payment that is made up for',
    { before: 'past_due', after: 'active', until: Infinity, accountBefore: days(1) },
    [],
  ],
  [
    'a cancellation',
    { before: 'active', after: 'cancelled', until: days(9), accountBefore: Infinity },
    [{ occasion: 'access_ends', occurredAt: days(9), accessEndsAt: days(9) }],
  ],
  [
    'the cancellation of what another one supersedes',
    { before: 'active', after: 'cancelled', until: days(9), accountBefore: Infinity, accountAfter: Infinity },
    [],
  ],
  [
    'the end of what was cancelled',
    { before: 'cancelled', after: 'expired', until: days(-0.01), accountBefore: days(-0.01) },
    [{ occasion: 'access_ended', occurredAt: days(-0.01), accessEndsAt: days(-0.01) }],
  ],
  [
    'the end of the grace',
    { before: 'past_due', after: 'suspended', until: days(-0.1), accountBefore: days(-0.1) },
    [{ occasion: 'access_ended', occurredAt: days(-0.1), accessEndsAt: days(-0.1) }],
  ],
  ['what has ended before', { before: 'suspended', after: 'suspended', until: days(-5), accountBefore: days(-5) }, []],
  [
    'an end that nobody knows the time of',
    { before: 'active', after: 'expired', until: null, accountBefore: Infinity },
    [{ occasion: 'access_ended', occurredAt: now, accessEndsAt: now }],
  ],
  ['an order that was declined', { before: 'pending', after: 'expired', until: null }, []],
  [
    'the end of one, while another goes on',
    { before: 'cancelled', after: 'expired', until: days(0), accountBefore: Infinity, accountAfter: Infinity },
    [],
  ],
  [
    'a payment after access had ended',
    { before: 'suspended', after: 'active', until: Infinity, accountBefore: days(-4) },
    [{ occasion: 'welcome_back', occurredAt: days(-4), accessEndsAt: null }],
  ],
])('%s', (_name, { before, after, until, failedAt, accountBefore, accountAfter }, expected) => {
  const notices = decideNotices({
    before: { status: before },
    after: { status: after, access_until: until, payment_failed_at: failedAt ?? null },
    access: { before: accountBefore ?? null, after: accountAfter === undefined ? until : accountAfter },
    now,
  });
  expect(notices).toEqual(expected);
});
