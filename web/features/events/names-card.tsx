import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { EventNameInUse } from '#contracts/events.ts';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { eventNamesQuery } from './event-queries.ts';
import { useEventSearch } from './event-search.ts';

const pageSize = 20;

/** The names of events with their counts; a name opens its details. */
export function NamesCard() {
  const [{ name: chosen, names: search = '' }, change] = useEventSearch();
  const [page, setPage] = useState(1);
  const query = useQuery(eventNamesQuery({ search, page }));
  const find = (text: string) => {
    setPage(1);
    change({ names: text || undefined });
  };
  const choose = (name: string) => change({ name: name === chosen ? undefined : name });
  return (
    <Card
      flush
      title="Names"
      actions={<SearchInput label="Search names" value={search} onSearch={find} />}
      className="overflow-hidden"
    >
      <DataTable
        label="Names of events"
        columns={nameColumns({ chosen, onChoose: choose })}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        query={query}
        loadingText="Loading names..."
        failureText="Failed to load the names of events"
        {...((query.data?.total ?? 0) > pageSize && { paging: { page, pageSize, onPage: setPage } })}
        empty={<NoMatch title="No name matches" onClear={() => find('')} />}
      />
    </Card>
  );
}

type Choice = { chosen: string | undefined; onChoose: (name: string) => void };

function nameColumns({ chosen, onChoose }: Choice): readonly Column<EventNameInUse>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      fluid: true,
      onCard: 'title',
      cell: ({ name, properties }) => (
        <button
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className={clsx(
            'block max-w-full min-w-0 rounded-small text-left font-medium wrap-anywhere hover:text-accent-ink hover:underline',
            name === chosen && 'text-accent-ink',
          )}
        >
          <bdi>{name}</bdi>
          <span className="block text-12 font-regular text-muted">
            {properties.length === 1 ? '1 property' : `${properties.length} properties`}
          </span>
        </button>
      ),
    },
    { id: 'day', header: '24 hours', align: 'right', cell: ({ last_day: n }) => n.toLocaleString('en') },
    { id: 'count', header: 'Count', align: 'right', cell: ({ count }) => count.toLocaleString('en') },
    {
      id: 'seen',
      header: 'Last seen',
      align: 'right',
      cell: ({ last_seen_at: at }) => (
        <span className="text-muted">
          <RelativeTime at={at} />
        </span>
      ),
    },
  ];
}
