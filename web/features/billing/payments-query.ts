import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

export const paymentsPageSize = 10;

export function paymentsQuery(page: number) {
  return queryOptions({
    queryKey: [...queryKeys.payments, page],
    queryFn: ({ signal }) =>
      callApi('GET /api/subscription/payments', { query: { page, pageSize: paymentsPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  });
}
