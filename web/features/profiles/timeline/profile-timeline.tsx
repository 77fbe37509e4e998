import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import type { TimelineEntry } from '#contracts/timeline.ts';
import { errorText } from '#web/shared/api-error.ts';
import { formatDayName, formatExactTime, formatTime } from '#web/shared/time-format.ts';
import { FilterBar } from '#web/shared/table/filter-bar.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Tooltip } from '#web/shared/ui/tooltip.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { EntryIcon, EntryWords } from './timeline-entry.tsx';
import { timelineFilters, timelineQuery } from './timeline-query.ts';
import type { TimelineFilter } from './timeline-query.ts';

const minuteMs = 60_000;

/** The history of a person, the latest first, by days. */
export function ProfileTimeline({ profileId }: { profileId: number }) {
  const [filter, setFilter] = useState<TimelineFilter>('all');
  return (
    <Card flush id="timeline" title="Timeline">
      <div className="border-b px-3 py-2 sm:px-4">
        <FilterBar
          label="Show"
          options={timelineFilters.map((option) => ({ ...option, count: undefined }))}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <Entries key={filter} profileId={profileId} filter={filter} />
    </Card>
  );
}

const nothing: Readonly<Record<TimelineFilter, string>> = {
  all: 'Nothing has happened yet.',
  message: 'No messages yet.',
  event: 'No events yet.',
  segment: 'Joined and left no segment so far.',
  consent: 'Nothing was said of opt-ins or opt-outs.',
  note: 'No notes yet.',
  change: 'Nothing was changed yet.',
};

function Entries({ profileId, filter }: { profileId: number; filter: TimelineFilter }) {
  const timeline = useInfiniteQuery(timelineQuery(profileId, filter));
  if (timeline.isPending) return <Loading />;
  if (timeline.data === undefined) {
    return (
      <ErrorPanel
        title="Failed to load the timeline"
        detail={errorText(timeline.error, 'Try again in a moment.')}
        onRetry={() => void timeline.refetch()}
      />
    );
  }
  const entries = timeline.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<History aria-hidden="true" />}
        title={nothing[filter]}
        hint="What happens with this person from now on appears here by itself."
      />
    );
  }
  return (
    <>
      <Days entries={entries} />
      {timeline.hasNextPage && (
        <div className="flex justify-center border-t px-4 py-3">
          <Button busy={timeline.isFetchingNextPage && 'Loading...'} onClick={() => void timeline.fetchNextPage()}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}

function Days({ entries }: { entries: readonly TimelineEntry[] }) {
  const now = useNow(minuteMs);
  const days = Map.groupBy(entries, ({ at }) => formatDayName(at, now));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day}>
      <h3 className="border-b bg-sunken px-4 py-1.5 text-12 font-medium text-muted sm:px-5">{day}</h3>
      <ol className="divide-y border-b last:border-b-0">
        {ofDay.map((entry) => (
          <li
            key={entry.id}
            className="grid grid-cols-[2.75rem_1.25rem_minmax(0,1fr)] items-baseline gap-x-2 px-4 py-2.5 sm:px-5"
          >
            <Tooltip text={formatExactTime(entry.at)}>
              <time dateTime={entry.at} className="text-12 text-muted tabular-nums">
                {formatTime(entry.at)}
              </time>
            </Tooltip>
            <span className="translate-y-0.5 text-muted [&>svg]:size-4">
              <EntryIcon entry={entry} />
            </span>
            <div className="grid min-w-0 gap-1">
              <EntryWords entry={entry} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  ));
}

function Loading() {
  return (
    <div role="status" aria-label="Loading timeline..." className="grid gap-5 px-4 py-4 sm:px-5">
      {['w-3/5', 'w-2/5', 'w-1/2'].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <Skeleton className="h-3 w-9" />
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  );
}
