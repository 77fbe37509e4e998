import { expect, test } from 'vitest';
import { premiumPlan, type SubscriptionStatus } from '#contracts/billing.ts';
import type { Session } from '#web/shared/session.ts';
import { redirectFor, type RouteAccess } from './route-access.ts';

function sessionWith(
  status: SubscriptionStatus,
  hasActiveSubscription: boolean,
  trial_ends_at: string | null = null,
): Session {
  return {
    token: 'token',
    identity: null,
    user: null,
    suspension: null,
    deletesAt: null,
    currentProjectId: null,
    membership: null,
    lacksFactor: false,
    isElsewhere: false,
    subscription: {
      status,
      hasActiveSubscription,
      trial_ends_at,
      trial_ended_at: null,
      plan: null,
      currentSubscription: null,
      subscriptionPlan: premiumPlan,
      provider: 'test',
    },
  };
}

const visitors = {
  signedOut: {
    token: null,
    identity: null,
    user: null,
    subscription: null,
    suspension: null,
    deletesAt: null,
    currentProjectId: null,
    membership: null,
    lacksFactor: false,
    isElsewhere: false,
  },
  unknown: {
    token: 'token',
    identity: null,
    user: null,
    subscription: null,
    suspension: null,
    deletesAt: null,
    currentProjectId: null,
    membership: null,
    lacksFactor: false,
    isElsewhere: false,
  },
  unpaid: sessionWith('none', false),
  onTrial: sessionWith('none', true, '2026-12-08T10:00:00.000Z'),
  paid: sessionWith('active', true),
  paidByStatusAlone: sessionWith('active', false),
  inGrace: sessionWith('past_due', true),
  suspended: sessionWith('suspended', false),
  withoutFactor: { ...sessionWith('active', true), lacksFactor: true },
} satisfies Record<string, Session>;

const stays = undefined;

test.each<[RouteAccess, keyof typeof visitors, string | undefined]>([
  ['guest', 'signedOut', stays],
  ['guest', 'unpaid', '/'],
  ['guest', 'paid', '/'],
  ['open', 'signedOut', stays],
  ['open', 'paid', stays],
  ['signed-in', 'signedOut', '/login'],
  ['signed-in', 'unpaid', stays],
  ['signed-in', 'suspended', stays],
  ['signed-in', 'onTrial', stays],
  ['signed-in', 'paid', '/'],
  ['signed-in', 'inGrace', '/'],
  ['signed-in', 'unknown', stays],
  ['payer', 'signedOut', '/login'],
  ['payer', 'unpaid', stays],
  ['payer', 'paid', stays],
  ['payer', 'unknown', stays],
  ['subscriber', 'signedOut', '/login'],
  ['subscriber', 'unpaid', '/subscription'],
  ['subscriber', 'suspended', '/subscription'],
  ['subscriber', 'onTrial', stays],
  ['subscriber', 'paid', stays],
  ['subscriber', 'paidByStatusAlone', stays],
  ['subscriber', 'inGrace', stays],
  ['subscriber', 'unknown', stays],
  ['subscriber', 'withoutFactor', '/second-factor'],
  ['signed-in', 'withoutFactor', '/second-factor'],
  ['guest', 'withoutFactor', '/'],
  ['open', 'withoutFactor', stays],
  ['factorless', 'withoutFactor', stays],
  ['factorless', 'signedOut', '/login'],
  ['factorless', 'unknown', stays],
])('a %s route sends a visitor who is %s to %s', (access, visitor, target) => {
  expect(redirectFor(access, visitors[visitor])).toBe(target);
});
