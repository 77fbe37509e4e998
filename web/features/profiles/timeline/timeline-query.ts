import { infiniteQueryOptions } from '@tanstack/react-query';
import type { TimelineKind } from '#contracts/timeline.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** The parts of a timeline that can be shown alone. */
export const timelineFilters = [
  { value: 'all', label: 'All' },
  { value: 'message', label: 'Messages' },
  { value: 'event', label: 'Events' },
  { value: 'segment', label: 'Segments' },
  { value: 'consent', label: 'Opt-ins' },
  { value: 'note', label: 'Notes' },
  { value: 'change', label: 'Changes' },
] as const satisfies readonly { value: TimelineKind | 'all'; label: string }[];
export type TimelineFilter = (typeof timelineFilters)[number]['value'];

const pageSize = 30;
/** Moves into and out of segments are noted without news. */
const againMs = 30_000;

export function timelineQuery(profileId: number, filter: TimelineFilter) {
  const kind = filter === 'change' ? 'change,created' : filter;
  return infiniteQueryOptions({
    queryKey: [...queryKeys.timeline, profileId, filter],
    queryFn: ({ pageParam: after, signal }) =>
      callApi(
        'GET /api/profiles/{profileId}/timeline',
        {
          params: { profileId },
          query: { limit: pageSize, ...(kind !== 'all' && { kind }), ...(after !== null && { after }) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: after }) => after,
    placeholderData: noPlaceholder,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? againMs : false),
  });
}
