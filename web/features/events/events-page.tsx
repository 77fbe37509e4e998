import { useQuery } from '@tanstack/react-query';
import { errorText } from '#web/shared/api-error.ts';
import { EventUsage } from '#web/shared/events/event-usage.tsx';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { eventNamesQuery } from './event-queries.ts';
import { useEventSearch } from './event-search.ts';
import { NameDetail } from './name-detail.tsx';
import { NamesCard } from './names-card.tsx';
import { NoEvents } from './no-events.tsx';
import { SendEvents } from './send-events.tsx';
import { TailCard } from './tail-card.tsx';

/** Events that programs told of people: names, live tail, and how to send. */
export function EventsPage() {
  const [search] = useEventSearch();
  const first = useQuery(eventNamesQuery({ search: '', page: 1 }));
  const usage = first.data?.usage;
  const isEmpty = first.data?.total === 0;
  return (
    <>
      <PageHeader
        title="Events"
        description="What your people do, as your programs tell it"
        actions={
          <a href="#send" className={buttonClass('secondary')}>
            How to send
          </a>
        }
      />
      {first.data === undefined && first.error !== null ? (
        <Card flush>
          <ErrorPanel
            title="Failed to load events"
            detail={errorText(first.error, 'Try again in a moment.')}
            onRetry={() => void first.refetch()}
          />
        </Card>
      ) : usage === undefined ? (
        <Card>
          <div role="status" aria-label="Loading events..." className="grid gap-4">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-40" />
          </div>
        </Card>
      ) : (
        <div className="grid gap-4 sm:gap-6">
          {isEmpty ? (
            <NoEvents />
          ) : (
            <>
              <Card>
                <EventUsage usage={usage} />
              </Card>
              <div className="grid items-start gap-4 sm:gap-6 xl:grid-cols-2">
                <NamesCard />
                {search.name === undefined ? <ChooseName /> : <NameDetail key={search.name} name={search.name} />}
              </div>
              <TailCard />
            </>
          )}
          <SendEvents />
        </div>
      )}
    </>
  );
}

function ChooseName() {
  return (
    <Card title="One name">
      <p className="text-13 text-muted">
        Choose a name to see its properties, how full they are, and its last 24 hours.
      </p>
    </Card>
  );
}
