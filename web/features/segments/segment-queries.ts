import { queryOptions } from '@tanstack/react-query';
import type { SegmentCondition } from '#contracts/conditions.ts';
import { callApi } from '#web/shared/api.ts';
import { gatherIds } from '#web/shared/gather-ids.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import type { SegmentSearch } from './segment-search.ts';

export const pageSize = 50;
const previewLimit = 50;

export function segmentsQuery({ page = 1, search, sort, order, used_by }: SegmentSearch) {
  const query = { page, pageSize, search, sort, order, used_by };
  return queryOptions({
    queryKey: [...queryKeys.segments, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/segments', { query }, { signal }),
  });
}

export function segmentQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId],
    queryFn: ({ signal }) => callApi('GET /api/segments/{segmentId}', { params: { segmentId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

/** Segments, flows and campaigns that go by it. */
export function segmentUsageQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'usage'],
    queryFn: ({ signal }) => callApi('GET /api/segments/{segmentId}/usage', { params: { segmentId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

const usesTogether = gatherIds(async (ids) => {
  const { data } = await callApi('GET /api/segments/usage', { query: { ids: ids.join(',') } });
  return new Map(data.map((used) => [used.id, used]));
});

/** How much goes by it, and the first of it. */
export function segmentUsesQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'uses'],
    queryFn: async () => (await usesTogether(segmentId)) ?? { uses: [], total: 0 },
    placeholderData: noPlaceholder,
  });
}

export function previewMembersQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'preview'],
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/segments/{segmentId}/profiles',
        { params: { segmentId }, query: { limit: previewLimit } },
        { signal },
      ),
    placeholderData: noPlaceholder,
  });
}

/** How many profiles a condition matches that is not saved, and the newest of them. */
export function conditionPreviewQuery(condition: SegmentCondition) {
  return queryOptions({
    queryKey: [...queryKeys.segments, 'preview-count', condition],
    queryFn: ({ signal }) => callApi('POST /api/segments/preview-count', { body: { condition } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
