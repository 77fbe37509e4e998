import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** WhatsApp is asked each time: once a visit will do. */
export const profileQuery = (phoneId: number) =>
  queryOptions({
    queryKey: queryKeys.phoneProfile(phoneId),
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}/profile', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
    staleTime: Infinity,
    retry: false,
  });
