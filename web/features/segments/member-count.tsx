import { useQuery } from '@tanstack/react-query';
import { memberCountQuery } from './segment-queries.ts';

/** `...` until it is counted, 0 when it cannot be. */
export function MemberCount({ segmentId }: { segmentId: number }) {
  const { data: count, isError } = useQuery(memberCountQuery(segmentId));
  if (count === undefined && !isError) return '...';
  return (count ?? 0).toLocaleString('en');
}
