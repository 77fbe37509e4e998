import { useQuery } from '@tanstack/react-query';
import { memberCountQuery } from './segment-queries.ts';

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
