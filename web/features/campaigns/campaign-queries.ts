import { queryOptions } from '@tanstack/react-query';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** While a campaign moves by itself, the page asks again this often; live events come on top. */
const pollMs = 5000;

/** For `refetchInterval`. */
export function pollInterval(campaigns: readonly Campaign[] | undefined): number | false {
  return campaigns?.some(({ status }) => status === 'creating' || status === 'running') ? pollMs : false;
}

export function campaignsQuery() {
  return queryOptions({
    queryKey: queryKeys.campaigns,
    queryFn: ({ signal }) => callApi('GET /api/campaigns', {}, { signal }),
    refetchInterval: ({ state }) => pollInterval(state.data?.data),
  });
}

export function segmentChoicesQuery() {
  return queryOptions({
    queryKey: queryKeys.segments,
    queryFn: ({ signal }) => callApi('GET /api/segments', {}, { signal }),
  });
}

/**
 * Who of the segment would get the message now, and how it reads for some of them. Its key stands apart from the
 * campaigns': their news must not count a segment anew.
 */
export function previewQuery(segmentId: number, message: string) {
  return queryOptions({
    queryKey: ['campaign-preview', segmentId, message] as const,
    queryFn: ({ signal }) =>
      callApi('POST /api/campaigns/preview', { body: { segment_id: segmentId, message } }, { signal }),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === segmentId ? previous : undefined),
  });
}
