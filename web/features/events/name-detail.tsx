import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Plus, X } from 'lucide-react';
import type { EventNameInUse, EventProperty } from '#contracts/events.ts';
import { errorText } from '#web/shared/api-error.ts';
import { eventNameQuery } from '#web/shared/events/event-name-query.ts';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';
import { formatDate } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { useEventSearch } from './event-search.ts';

/** A name of events: its last 24 hours and its properties. */
export function NameDetail({ name }: { name: string }) {
  const { data, error, refetch } = useQuery(eventNameQuery(name));
  const [, change] = useEventSearch();
  const can = useCan();
  return (
    <Card
      flush
      title={name}
      className="overflow-hidden"
      description={data && `${data.count.toLocaleString('en')} since ${formatDate(data.first_seen_at)}`}
      actions={
        <>
          {can('contacts:write') && data && (
            <Link
              to={paths.newSegment}
              search={{ event: name }}
              className={clsx(buttonClass('secondary', 'small'), 'max-sm:order-last')}
            >
              <Plus aria-hidden="true" className="size-4" />
              Segment from it
            </Link>
          )}
          <IconButton
            label="Show all names"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => change({ name: undefined })}
          />
        </>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorPanel
          title="Failed to load the name"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <Skeleton className="m-5 h-40" />
      ) : data === null ? (
        <p className="px-4 py-6 text-muted sm:px-5">No event has this name.</p>
      ) : (
        <>
          <Hours name={data} />
          <Properties properties={data.properties} />
        </>
      )}
    </Card>
  );
}

function Hours({ name: { hours, last_day: total } }: { name: EventNameInUse }) {
  const most = Math.max(1, ...hours);
  return (
    <figure className="border-b px-4 py-4 sm:px-5">
      <figcaption className="mb-2 text-13 text-muted">
        {total.toLocaleString('en')} in the last 24 hours, {Math.max(0, ...hours).toLocaleString('en')} in an hour at
        most
      </figcaption>
      <div aria-hidden="true" className="flex h-16 items-end gap-0.5">
        {hours.map((count, index) => (
          <span
            key={String(index)}
            className={count === 0 ? 'h-px flex-1 bg-gray-wash' : 'min-h-0.5 flex-1 rounded-t-small bg-accent'}
            style={count === 0 ? undefined : { height: `${(100 * count) / most}%` }}
          />
        ))}
      </div>
      <div aria-hidden="true" className="mt-1 flex justify-between text-12 text-muted">
        <span>24 hours ago</span>
        <span>now</span>
      </div>
    </figure>
  );
}

const typeWords: Readonly<Record<EventProperty['types'][number], string>> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  object: 'object',
  array: 'list',
  null: 'empty',
};

function Properties({ properties }: { properties: readonly EventProperty[] }) {
  if (properties.length === 0)
    return <p className="px-4 py-4 text-muted sm:px-5">The newest ones have no properties.</p>;
  return (
    <ul aria-label="Properties" className="divide-y">
      {properties.map(({ path, types, samples, share }) => (
        <li key={path} className="grid min-w-0 gap-0.5 px-4 py-2.5 sm:px-5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <code className="min-w-0 font-mono text-13 wrap-anywhere">{path.replace(/^properties\.?/, '')}</code>
            <span className="text-12 text-muted">
              {types.map((type) => typeWords[type]).join(' or ')}, in {Math.round(100 * share)} %
            </span>
          </span>
          {samples.length > 0 && (
            <span className="truncate text-12 text-muted" title={samples.join(', ')}>
              <bdi>{samples.join(', ')}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
