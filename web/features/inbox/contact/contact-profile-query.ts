import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** The profile that a conversation is with; nothing where nobody with that number is kept. */
export function contactProfileQuery(profileId: number | null) {
  return queryOptions({
    queryKey: queryKeys.profile(profileId ?? 0),
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles/{profileId}', { params: { profileId: profileId ?? 0 } }, { signal }),
    enabled: profileId !== null,
    placeholderData: noPlaceholder,
  });
}
