import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { filterOf, type ProfileSearch } from './profile-search.ts';

export const pageSize = 50;
const messageLimit = 50;

export function profilesQuery({ page = 1, sort, order, ...search }: ProfileSearch) {
  const query = { page, pageSize, sort, order, ...filterOf(search) };
  return queryOptions({
    queryKey: [...queryKeys.profiles, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/profiles', { query }, { signal }),
  });
}

export function profileQuery(profileId: number) {
  return queryOptions({
    queryKey: queryKeys.profile(profileId),
    queryFn: ({ signal }) => callApi('GET /api/profiles/{profileId}', { params: { profileId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

/** Whether the number has opted out, why, and what was said of it before. */
export function suppressionQuery(phone: string) {
  return queryOptions({
    queryKey: [...queryKeys.suppressions, 'of', phone],
    queryFn: ({ signal }) => callApi('GET /api/suppressions/{phone}', { params: { phone: `+${phone}` } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function profileSegmentsQuery(profileId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, 'of-profile', profileId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/profiles/{profileId}/segments', { params: { profileId } }, { signal })).data,
    placeholderData: noPlaceholder,
  });
}

export function profileMessagesQuery(profileId: number) {
  return queryOptions({
    queryKey: [...queryKeys.profileMessages, profileId],
    queryFn: async ({ signal }) => {
      const call = { params: { profileId }, query: { limit: messageLimit } };
      return (await callApi('GET /api/profiles/{profileId}/messages', call, { signal })).data;
    },
    placeholderData: noPlaceholder,
  });
}
