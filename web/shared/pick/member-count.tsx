import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

/** As many as the server counts in a request. */
const mostTogether = 50;

/** The counts that are asked for together, in one request. */
let asked: { ids: Set<number>; counts: Promise<Map<number, number | null>> } | undefined;

/** Counting may read all profiles, so one request waits for the other. */
function countTogether(segmentId: number): Promise<Map<number, number | null>> {
  if (asked === undefined || asked.ids.size === mostTogether) {
    const ids = new Set<number>();
    // All rows of a list ask in one turn of the page.
    const gathered = new Promise<void>((resolve) => setTimeout(resolve));
    const counts = gathered.then(() =>
      inTurn(async () => {
        if (asked?.ids === ids) asked = undefined;
        const { data } = await callApi('GET /api/segments/counts', { query: { ids: [...ids].join(',') } });
        return new Map(data.map(({ id, count }) => [id, count]));
      }),
    );
    asked = { ids, counts };
  }
  asked.ids.add(segmentId);
  return asked.counts;
}

/** How many profiles are in a segment. */
function memberCountQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'count'],
    queryFn: async () => {
      const count = (await countTogether(segmentId)).get(segmentId);
      if (typeof count !== 'number') throw new Error('It takes too long to count');
      return count;
    },
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
