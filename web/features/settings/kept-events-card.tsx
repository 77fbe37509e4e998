import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { EventUsage } from '#web/shared/events/event-usage.tsx';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

/** The room that people's events take, and for how long they are kept. */
export function KeptEventsCard() {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.events, 'usage'],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/event-names', { query: { page: 1, pageSize: 1 } }, { signal })).usage,
  });
  return (
    <Card
      id="kept-events"
      title="Events"
      description="What people do, as your programs tell it."
      actions={
        <Link to={paths.events} className={buttonClass('secondary', 'small')}>
          Open events
        </Link>
      }
    >
      {data !== undefined ? (
        <EventUsage usage={data} />
      ) : error === null ? (
        <Skeleton className="h-16" />
      ) : (
        <ErrorPanel
          title="Failed to load what events take up"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      )}
    </Card>
  );
}
