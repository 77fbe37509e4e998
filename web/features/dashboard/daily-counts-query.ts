import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** Where nothing happens, nothing says that a new day has begun. */
export const newDayMs = 5 * 60_000;

/** The account's last 14 days, today last. */
export function dailyCountsQuery() {
  return queryOptions({
    queryKey: queryKeys.dailyCounts,
    queryFn: ({ signal }) => callApi('GET /api/messages/daily-counts', {}, { signal }),
    refetchInterval: newDayMs,
  });
}
