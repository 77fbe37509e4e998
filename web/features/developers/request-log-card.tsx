import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiRequest } from '#contracts/request-log.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { requestLogQuery } from './developer-queries.ts';
import type { RequestFilter } from './developer-queries.ts';

const outcomes = [
  { value: '', label: 'Any outcome' },
  { value: 'success', label: 'Success' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
];
const methods = ['', 'GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value || 'Any method' }));

export function RequestLogCard({ projectId }: { projectId: number }) {
  const [filter, setFilter] = useState<RequestFilter>({});
  const query = useInfiniteQuery(requestLogQuery(projectId, filter));
  const hasRoom = useMediaQuery('(min-width: 1280px), (max-width: 720px)');
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  /** An empty text is no filter. */
  const narrow = (name: keyof RequestFilter, value: string) => {
    const { [name]: _, ...others } = filter;
    setFilter(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <Card
      flush
      title="Request log"
      description="What programs asked for with a key, in the last 30 days. Of a body only its fields are kept."
      actions={
        <>
          <SelectInput
            size="small"
            aria-label="Outcome"
            options={outcomes}
            value={filter.outcome ?? ''}
            onChange={({ target }) => narrow('outcome', target.value)}
            className="max-sm:w-full"
          />
          <SelectInput
            size="small"
            aria-label="Method"
            options={methods}
            value={filter.method ?? ''}
            onChange={({ target }) => narrow('method', target.value)}
            className="max-sm:w-full"
          />
          <SearchInput label="Search paths" value={filter.path ?? ''} onSearch={(text) => narrow('path', text)} />
        </>
      }
    >
      <DataTable
        label="Request log"
        columns={hasRoom ? columns : columns.filter(({ id }) => id !== 'id' && id !== 'duration')}
        rowKey={({ id }) => id}
        query={{ ...query, data: rows && { data: rows } }}
        empty={isNarrowed ? 'No request matches.' : 'No program has used a key yet.'}
        failureText="Failed to load the request log"
        skeletonRows={5}
      />
      {query.hasNextPage && (
        <div className="flex justify-center border-t px-4 py-3">
          <Button
            size="small"
            busy={query.isFetchingNextPage && 'Loading...'}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

const callerWords: Readonly<Record<ApiRequest['caller'], string>> = {
  auth_key: 'Auth key',
  project_key: 'Deleted key',
  api_key: 'API key',
};

function statusColor(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

const columns: readonly Column<ApiRequest>[] = [
  {
    id: 'request',
    header: 'Request',
    fluid: true,
    onCard: 'title',
    cell: ({ method, path, body }) => (
      <span className="block min-w-0">
        <code className="block truncate text-12" title={path}>
          {method} {path}
        </code>
        {body !== null && (
          <code className="block truncate text-12 text-muted" title={body}>
            {body}
          </code>
        )}
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    onCard: 'badge',
    cell: ({ status }) => <Badge color={statusColor(status)}>{String(status)}</Badge>,
  },
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) =>
      code === null ? (
        <span className="text-faint">None</span>
      ) : (
        <a className="text-12 underline" href={`/docs/errors#${code}`}>
          <code>{code}</code>
        </a>
      ),
  },
  {
    id: 'duration',
    header: 'Time',
    align: 'right',
    cell: ({ duration_ms: ms }) => <span className="whitespace-nowrap">{ms.toLocaleString('en')} ms</span>,
  },
  {
    id: 'key',
    header: 'Key',
    cell: ({ key_name: name, caller }) => (
      <span className="block max-w-40 truncate whitespace-nowrap">{name ?? callerWords[caller]}</span>
    ),
  },
  {
    id: 'at',
    header: 'When',
    cell: ({ created_at: at, omitted }) => (
      <span>
        <DateTime at={at} />
        {omitted > 0 && (
          <small className="block text-12 text-muted">{omitted.toLocaleString('en')} before it not listed</small>
        )}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Request id',
    cell: ({ request_id: id }) => (
      <code className="block max-w-28 truncate text-12 text-muted" title={id}>
        {id}
      </code>
    ),
  },
];
