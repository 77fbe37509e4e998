import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import { sampleSubscription } from '#web/testing/samples.ts';
import { lapseOf, type Lapse } from './lapse.ts';

const since = '2026-11-18T10:00:00.000Z';

test.each<[SubscriptionStatus, string | null, Lapse | undefined]>([
  ['suspended', since, { reason: 'payment_failed', since }],
  ['expired', since, { reason: 'ended', since }],
  ['expired', null, { reason: 'ended', since: null }],
  ['pending', since, { reason: 'payment_missing', since }],
  ['pending', null, undefined],
  ['active', since, undefined],
  ['past_due', since, undefined],
  ['cancelled', since, undefined],
])('%s with access until %s has lapsed: %j', (status, end, lapse) => {
  expect(lapseOf(sampleSubscription({ status }, { access_ends_at: end }))).toEqual(lapse);
});

test.each([null, '2026-11-18T10:05:00.000Z'])('a first payment that failed never opened anything: %s', (end) => {
  const current = { started_at: since, access_ends_at: end };
  expect(lapseOf(sampleSubscription({ status: 'suspended' }, current))).toBeUndefined();
});

test('time paid for in test mode ends where money is taken', () => {
  const expired = { access_ends_at: since, provider: 'test' } as const;
  expect(lapseOf(sampleSubscription({ status: 'expired', provider: 'paypal' }, expired))).toEqual({
    reason: 'test_ended',
    since,
  });
  expect(lapseOf(sampleSubscription({ status: 'expired', provider: 'test' }, expired))).toMatchObject({
    reason: 'ended',
  });
});

test('an account that never paid has nothing to lapse', () => {
  expect(lapseOf(sampleSubscription({ status: 'none' }, null))).toBeUndefined();
});
