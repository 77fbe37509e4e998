import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useId, useState } from 'react';
import type { TrackedEvent } from '#contracts/events.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { EventProperties } from '#web/shared/events/event-properties.tsx';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { PersonInput } from '#web/shared/pick/person-input.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { formatExactTime, formatListTime, formatTimeToSecond } from '#web/shared/time-format.ts';
import { ChoiceFilter, FilterChip } from '#web/shared/table/filter-chip.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { Tooltip } from '#web/shared/ui/tooltip.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { useNow } from '#web/shared/use-now.ts';
import { eventNamesQuery, eventsQuery } from './event-queries.ts';
import { eventSpans, useEventSearch } from './event-search.ts';

/** Events as they come; a pause holds the list still. */
export function TailCard() {
  const [search] = useEventSearch();
  const [isPaused, setPaused] = useState(false);
  const { name, profile, span } = search;
  const events = useInfiniteQuery({ ...eventsQuery({ name, profile, span }), enabled: !isPaused });
  const all = events.data?.pages.flatMap(({ data }) => data) ?? [];
  const isNarrowed = name !== undefined || profile !== undefined || span !== undefined;
  return (
    <Card
      flush
      id="tail"
      title="Live tail"
      className="overflow-hidden"
      description={isPaused ? 'Paused: newer events wait.' : 'New events appear by themselves.'}
      actions={
        <>
          <Badge color={isPaused ? 'gray' : 'green'} isLive={!isPaused}>
            {isPaused ? 'Paused' : 'Live'}
          </Badge>
          <Button
            size="small"
            icon={
              isPaused ? (
                <Play aria-hidden="true" className="size-4" />
              ) : (
                <Pause aria-hidden="true" className="size-4" />
              )
            }
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      <Filters />
      {events.data === undefined && events.error !== null ? (
        <ErrorPanel
          title="Failed to load events"
          detail={errorText(events.error, 'Try again in a moment.')}
          onRetry={() => void events.refetch()}
        />
      ) : events.data === undefined ? (
        <Skeleton className="m-5 h-40" />
      ) : all.length === 0 ? (
        <p className="px-4 py-8 text-center text-muted">
          {isNarrowed ? 'No event matches.' : 'No event is kept at the moment; new ones appear here.'}
        </p>
      ) : (
        <ul aria-label="Events" className="divide-y">
          {all.map((event) => (
            <Event key={event.id} event={event} />
          ))}
        </ul>
      )}
      {events.hasNextPage && (
        <div className="flex justify-center border-t px-4 py-3">
          <Button busy={events.isFetchingNextPage && 'Loading...'} onClick={() => void events.fetchNextPage()}>
            Older
          </Button>
        </div>
      )}
    </Card>
  );
}

function Filters() {
  const [{ name, profile, span }, change] = useEventSearch();
  const { data } = useQuery(eventNamesQuery({ search: '', page: 1 }));
  const known = data?.data.map((each) => each.name) ?? [];
  const names = name === undefined || known.includes(name) ? known : [name, ...known];
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap gap-2 border-b px-4 py-2.5 sm:px-5">
      <ChoiceFilter
        label="Name"
        options={names.map((each) => ({ value: each, label: each }))}
        value={name}
        onChange={(value) => change({ name: value })}
      />
      <PersonFilter profileId={profile} onChange={(id) => change({ profile: id })} />
      <ChoiceFilter
        label="Time"
        options={[...eventSpans]}
        value={span}
        onChange={(value) => change({ span: eventSpans.find((each) => each.value === value)?.value })}
      />
    </div>
  );
}

type PersonFilterProps = { profileId: number | undefined; onChange: (id: number | undefined) => void };

function PersonFilter({ profileId, onChange }: PersonFilterProps) {
  const format = usePhoneFormat();
  const { data: person } = useQuery({
    queryKey: queryKeys.profile(profileId ?? 0),
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles/{profileId}', { params: { profileId: profileId ?? 0 } }, { signal }),
    enabled: profileId !== undefined,
  });
  const value =
    profileId === undefined ? undefined : (person?.name ?? (person ? format(person.phone) : `#${profileId}`));
  return (
    <FilterChip label="Person" value={value} onClear={() => onChange(undefined)}>
      {(close) => (
        <FindPerson
          onFind={(id) => {
            onChange(id);
            close();
          }}
        />
      )}
    </FilterChip>
  );
}

const fewestDigits = 5;

function FindPerson({ onFind }: { onFind: (id: number) => void }) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const digits = useDebounced(typed.replaceAll(/\D/g, ''), 150);
  const isAskable = digits.length >= fewestDigits;
  const { data } = useQuery({
    queryKey: [...queryKeys.profiles, 'of-number', digits],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search: digits, page: 1, pageSize: 1 } }, { signal }),
    enabled: isAskable,
  });
  const person = isAskable ? data?.data[0] : undefined;
  return (
    <div className="grid gap-2 p-1">
      <label htmlFor={id} className="text-12 text-muted">
        Name or number
      </label>
      <PersonInput id={id} value={typed} onChange={setTyped} placeholder="Name or number" />
      {isAskable && data?.data.length === 0 && <p className="text-13 text-muted">No profile has this number.</p>}
      <Button size="small" variant="primary" disabled={!person} onClick={() => person && onFind(person.id)}>
        Show events of this person
      </Button>
    </div>
  );
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

function Event({ event }: { event: TrackedEvent }) {
  const { event: name, profile_id: profileId, profile_name: personName, phone, timestamp, properties } = event;
  const format = usePhoneFormat();
  const now = useNow(minuteMs);
  const isOld = now - Date.parse(timestamp) > dayMs;
  return (
    <li className="grid min-w-0 gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[6rem_minmax(0,12rem)_minmax(0,1fr)] sm:px-5">
      <Tooltip text={formatExactTime(timestamp)}>
        <time dateTime={timestamp} className="w-fit text-13 text-muted tabular-nums">
          {isOld ? formatListTime(timestamp, now) : formatTimeToSecond(timestamp)}
        </time>
      </Tooltip>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <Link
          to={paths.profile}
          params={{ profileId: String(profileId) }}
          className="block truncate rounded-small text-13 text-muted hover:text-accent-ink hover:underline"
        >
          <bdi>{personName ?? format(phone)}</bdi>
        </Link>
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <EventProperties properties={properties} />
      </div>
    </li>
  );
}
