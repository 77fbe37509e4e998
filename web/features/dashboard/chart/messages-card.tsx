import { useQuery } from '@tanstack/react-query';
import { ChartColumn, Table2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { DayCounts } from '#contracts/messages.ts';
import { errorText } from '#web/shared/api-error.ts';
import { currentZoneName, ownTimeZone } from '#web/shared/time-zones.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { dailyCountsQuery } from '../daily-counts-query.ts';
import { DayBars } from './day-bars.tsx';
import { series, Swatch } from './series.tsx';

const title = 'Messages';
const period = 'Last 14 days';
const ownZone = ownTimeZone();

const DayTable = lazy(async () => ({ default: (await import('./day-table.tsx')).DayTable }));

/** The outcomes of the messages of the last 14 days, as bars or as a table. */
export function MessagesCard() {
  const { data, error, refetch } = useQuery(dailyCountsQuery());
  const [isTable, setTable] = useState(false);
  const days = data?.data;
  if (days === undefined && error !== null) {
    return (
      <Card title={title} description={period}>
        <ErrorPanel
          title="Failed to load message counts"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  return (
    <Card
      flush={isTable}
      title={title}
      description={periodText(data?.timezone)}
      actions={
        <div className="flex items-center gap-3 max-sm:w-full">
          <Legend days={days} />
          <IconButton
            size="small"
            label={isTable ? 'Show as chart' : 'Show as table'}
            icon={
              isTable ? (
                <ChartColumn aria-hidden="true" className="size-4" />
              ) : (
                <Table2 aria-hidden="true" className="size-4" />
              )
            }
            disabled={days === undefined}
            onClick={() => setTable(!isTable)}
            className="-mr-1.5"
          />
        </div>
      }
    >
      <Days days={days} isTable={isTable} />
    </Card>
  );
}

/** Says whose days they are where the account's are not the reader's own. */
function periodText(timezone = ownZone): string {
  const zone = currentZoneName(timezone);
  return zone === ownZone ? period : `${period}, ${zone}`;
}

function Days({ days, isTable }: { days: readonly DayCounts[] | undefined; isTable: boolean }) {
  if (days === undefined) return <ChartSkeleton />;
  if (isTable) {
    return (
      <Suspense fallback={<ChartSkeleton />}>
        <DayTable days={days} />
      </Suspense>
    );
  }
  if (days.every((day) => series.every(({ name }) => day[name] === 0))) {
    return (
      <div className="grid h-58 content-center">
        <EmptyState
          icon={<ChartColumn aria-hidden="true" />}
          title="No messages in 14 days"
          hint="What you send and receive shows up here, a bar a day."
        />
      </div>
    );
  }
  return <DayBars days={days} />;
}

/** Undefined while they load. */
function Legend({ days }: { days: readonly DayCounts[] | undefined }) {
  return (
    <ul className="flex flex-1 flex-wrap gap-x-4 gap-y-1 text-13 text-muted tabular-nums">
      {series.map(({ name, label }) => (
        <li key={name} className="flex items-center gap-1.5">
          <Swatch name={name} />
          {label}
          {days === undefined ? (
            <Skeleton className="h-3 w-8" />
          ) : (
            <span className="font-medium text-ink">
              {days.reduce((sum, day) => sum + day[name], 0).toLocaleString('en')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function ChartSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="h-58 rounded-base" />
    </div>
  );
}
