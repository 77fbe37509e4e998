import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#contracts/billing.ts';
import { lapseOf, type Lapse } from './lapse.ts';
import { paymentsQuery } from './payments-query.ts';

/** As `lapseOf`, also for somebody whose new order, not approved yet, stands in front of what lapsed before it. */
export function useLapse(subscription: Subscription): Lapse | undefined {
  const known = lapseOf(subscription);
  const { data } = useQuery({
    ...paymentsQuery(1),
    enabled: known === undefined && subscription.status === 'pending',
  });
  if (known !== undefined) return known;
  const hasPaid = subscription.status === 'pending' && data?.data.some(({ status }) => status !== 'failed');
  return hasPaid ? { reason: 'earlier', since: null } : undefined;
}
