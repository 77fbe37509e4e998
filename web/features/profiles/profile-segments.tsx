import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Segment } from '#contracts/segments.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SegmentText } from '#web/shared/conditions/segment-text.tsx';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { profileSegmentsQuery } from './profile-queries.ts';

export function ProfileSegments({ profileId }: { profileId: number }) {
  const { data: segments, error, refetch } = useQuery(profileSegmentsQuery(profileId));
  return (
    <Card flush title="Segments">
      {segments === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to fetch segments"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Rows segments={segments} />
      )}
    </Card>
  );
}

/** `segments` is undefined while they load. */
function Rows({ segments }: { segments: readonly Segment[] | undefined }) {
  if (segments?.length === 0) return <p className="px-4 py-4 text-muted sm:px-5">In no segment now.</p>;
  return (
    <ul aria-busy={segments === undefined} className="divide-y">
      {segments === undefined ? (
        <li className="px-4 py-4 sm:px-5">
          <Skeleton className="h-3 w-3/5" />
        </li>
      ) : (
        segments.map((segment) => (
          <li key={segment.id} className="grid min-w-0 gap-1 px-4 py-3 sm:px-5">
            <Link
              to={paths.segment}
              params={{ segmentId: String(segment.id) }}
              className="justify-self-start rounded-small font-medium wrap-anywhere hover:text-accent-ink hover:underline"
            >
              <bdi>{segment.name}</bdi>
            </Link>
            <SegmentText segment={segment} />
          </li>
        ))
      )}
    </ul>
  );
}
