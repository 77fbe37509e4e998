import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import { sampleSubscription } from '#web/testing/samples.ts';
import { bannerFor, type Banner } from './banner.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const soon = '2026-11-23T10:00:00.000Z';
const later = '2026-11-23T10:00:01.000Z';

test.each<[SubscriptionStatus, string | null, Banner | undefined]>([
  ['active', null, undefined],
  ['active', soon, { kind: 'payment_awaited', until: soon }],
  ['past_due', soon, { kind: 'payment_failed', until: soon }],
  ['cancelled', later, { kind: 'access_ends', until: later, canResume: true, isHarmless: true }],
  ['cancelled', soon, { kind: 'access_ends', until: soon, canResume: true, isHarmless: false }],
  ['suspended', soon, undefined],
  ['expired', soon, undefined],
])('%s with access until %s shows %j', (status, end, banner) => {
  expect(bannerFor(sampleSubscription({ status }, { access_ends_at: end, can_resume: true }), now)).toEqual(banner);
});

test('an account without a subscription gets no banner', () => {
  expect(bannerFor(sampleSubscription({ status: 'none' }, null), now)).toBeUndefined();
});

test('a trial says until when it lasts', () => {
  const trial = { status: 'none', hasActiveSubscription: true, trial_ends_at: later } as const;
  expect(bannerFor(sampleSubscription(trial, null), now)).toEqual({ kind: 'trial', until: later });
});
