import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

/** How many profiles are in a segment. Counting may read them all, so one count waits for the other. */
function memberCountQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'count'],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const query = { limit: 1, offset: 0 };
        const members = await callApi(
          'GET /api/segments/{segmentId}/profiles',
          { params: { segmentId }, query },
          { signal },
        );
        return members.count;
      }),
    placeholderData: noPlaceholder,
  });
}

/** `...` until it is counted, 0 when it cannot be, which it says. */
export function MemberCount({ segmentId }: { segmentId: number }) {
  const { data: count, isError } = useQuery(memberCountQuery(segmentId));
  if (count === undefined && !isError) return '...';
  if (count !== undefined) return count.toLocaleString('en');
  return (
    <span title="Could not be counted" className="text-faint">
      0<span className="sr-only"> (could not be counted)</span>
    </span>
  );
}
