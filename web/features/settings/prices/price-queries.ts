import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import type { PriceSearch } from './price-search.ts';

export const pageSize = 50;

/** All that the price list is shown by. */
export const pricesKey = ['message-prices'] as const;

export function pricesQuery({ page = 1, ...filters }: PriceSearch) {
  const query = { page, pageSize, ...filters };
  return queryOptions({
    queryKey: [...pricesKey, query],
    queryFn: ({ signal }) => callApi('GET /api/message-prices', { query }, { signal }),
  });
}
