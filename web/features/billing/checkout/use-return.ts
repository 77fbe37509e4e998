import { useQuery } from '@tanstack/react-query';
import { noPlaceholder } from '#web/shared/queries.ts';
import { settleOrder, type PlacedOrder } from './capture-order.ts';

/** PayPal confirms within seconds; what takes longer than a minute is asked about less often. */
const pollMs = 3000;
const slowPollMs = 15_000;
const fastPolls = 20;

/** Captures the order that the payer comes back with, and asks again while the provider has not made up its mind. */
export function useReturn(order: PlacedOrder) {
  return useQuery({
    queryKey: ['subscription-order', order],
    queryFn: () => settleOrder(order),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    placeholderData: noPlaceholder,
    refetchInterval: ({ state }) => {
      if (state.data !== 'waiting') return false;
      return state.dataUpdateCount < fastPolls ? pollMs : slowPollMs;
    },
  });
}
