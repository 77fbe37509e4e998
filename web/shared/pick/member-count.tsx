import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { countedText } from '../counted.ts';
import { gatherIds } from '../gather-ids.ts';
import { inTurn } from '../in-turn.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

/** Counting may read all profiles, so one request waits for the other. */
const countedWith = (days: number) =>
  gatherIds((ids) =>
    inTurn(async () => {
      const query = { ids: ids.join(','), ...(days > 0 && { days }) };
      const { data } = await callApi('GET /api/segments/counts', { query });
      return new Map(data.map((counted) => [counted.id, counted]));
    }),
  );

const growthDays = 30;
const counted = countedWith(0);
const countedWithDays = countedWith(growthDays);

type Counting = { segmentId: number; withDays?: boolean };

/** How many profiles are in a segment; `withDays`, and were on each of the last 30 days. */
export function segmentCountQuery({ segmentId, withDays = false }: Counting) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId, 'count', { withDays }],
    queryFn: async () => {
      const found = await (withDays ? countedWithDays : counted)(segmentId);
      if (found === undefined) throw new Error('The segment is gone');
      return found;
    },
    placeholderData: noPlaceholder,
  });
}

/** `...` until it is counted, 0 when it cannot be, which it says. */
export function MemberCount(counting: Counting) {
  const { data, isError } = useQuery(segmentCountQuery(counting));
  if (data === undefined && !isError) return '...';
  if (typeof data?.count === 'number') return countedText({ ...data, count: data.count });
  return (
    <span title="Could not be counted" className="text-faint">
      0<span className="sr-only"> (could not be counted)</span>
    </span>
  );
}
