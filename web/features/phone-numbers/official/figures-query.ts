import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** Windows shut by themselves. */
const againMs = 60_000;

export function figuresQuery(phoneId: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'figures'],
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}/figures', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
    refetchInterval: againMs,
  });
}
