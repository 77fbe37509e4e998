import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
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
import { projectKeysQuery, requestLogQuery } from './developer-queries.ts';
import { developerSearch, logHours, methods, outcomes, requestFilterOf } from './developer-search.ts';
import type { DeveloperSearch } from './developer-search.ts';
import { RequestDialog } from './request-dialog.tsx';

const outcomeWords: Readonly<Record<(typeof outcomes)[number], string>> = {
  success: 'Success',
  refused: 'Refused',
  failed: 'Failed',
};

type LogSearch = Pick<DeveloperSearch, 'outcome' | 'method' | 'key' | 'find' | 'hours'>;
type RequestLogCardProps = {
  projectId: number;
  search: LogSearch;
  onChange: (change: { [Key in keyof LogSearch]: LogSearch[Key] | undefined }) => void;
};

export function RequestLogCard({ projectId, search, onChange }: RequestLogCardProps) {
  const { outcome, method, key, find, hours } = search;
  // The time is that of the choice: a filter that moved with the clock would be another query each time.
  const filter = useMemo(
    () =>
      requestFilterOf({
        ...(outcome && { outcome }),
        ...(method && { method }),
        ...(key !== undefined && { key }),
        ...(find !== undefined && { find }),
        ...(hours !== undefined && { hours }),
      }),
    [outcome, method, key, find, hours],
  );
  const [opened, setOpened] = useState<ApiRequest>();
  const query = useInfiniteQuery(requestLogQuery(projectId, filter));
  const keys = useQuery(projectKeysQuery(projectId)).data?.data ?? [];
  const hasRoom = useMediaQuery('(min-width: 1280px), (max-width: 720px)');
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const isNarrowed = Object.keys(filter).length > 0;
  const keyOptions = [
    { value: 'auth_key', label: callerWords.auth_key },
    { value: 'api_key', label: callerWords.api_key },
    ...keys.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <Card
      flush
      title="Request log"
      description="What programs asked for with a key, in the last 30 days. We keep field names, never message text."
      actions={
        <>
          <SelectInput
            size="small"
            aria-label="Outcome"
            placeholder="Any outcome"
            options={outcomes.map((value) => ({ value, label: outcomeWords[value] }))}
            value={search.outcome ?? ''}
            onChange={({ target }) => onChange({ outcome: outcomes.find((known) => known === target.value) })}
            className="max-sm:w-full"
          />
          <SelectInput
            size="small"
            aria-label="Method"
            placeholder="Any method"
            options={methods.map((value) => ({ value, label: value }))}
            value={search.method ?? ''}
            onChange={({ target }) => onChange({ method: methods.find((known) => known === target.value) })}
            className="max-sm:w-full"
          />
          <SelectInput
            size="small"
            aria-label="Made with"
            placeholder="Any key"
            options={keyOptions}
            value={search.key ?? ''}
            onChange={({ target }) => onChange({ key: developerSearch({ key: target.value }).key })}
            className="max-w-40 max-sm:w-full max-sm:max-w-none"
          />
          <SelectInput
            size="small"
            aria-label="Time"
            placeholder="At any time"
            options={logHours.map((value) => ({ value: String(value), label: hourWords[value] }))}
            value={String(search.hours ?? '')}
            onChange={({ target }) => onChange({ hours: developerSearch({ hours: target.value }).hours })}
            className="max-sm:w-full"
          />
          <SearchInput
            label="Path or request id"
            value={search.find ?? ''}
            onSearch={(text) => onChange({ find: text === '' ? undefined : text })}
          />
        </>
      }
    >
      <DataTable
        label="Request log"
        columns={
          hasRoom ? columnsOf(setOpened) : columnsOf(setOpened).filter(({ id }) => id !== 'id' && id !== 'duration')
        }
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
      {opened !== undefined && (
        <RequestDialog request={opened} keyName={keyNameOf(opened)} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  );
}

const hourWords: Readonly<Record<(typeof logHours)[number], string>> = {
  1: 'Last hour',
  24: 'Last 24 hours',
  168: 'Last 7 days',
};

const callerWords: Readonly<Record<ApiRequest['caller'], string>> = {
  auth_key: 'Auth key',
  project_key: 'Deleted key',
  api_key: 'API key',
};

function statusColor(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

const keyNameOf = ({ key_name: name, caller }: ApiRequest): string => name ?? callerWords[caller];

const columnsOf = (onOpen: (request: ApiRequest) => void): readonly Column<ApiRequest>[] => [
  {
    id: 'request',
    header: 'Request',
    fluid: true,
    onCard: 'title',
    cell: (request) => (
      <span className="block min-w-0">
        <button
          type="button"
          className="block min-h-6 max-w-full truncate rounded-small font-mono text-12 hover:underline"
          title={request.path}
          onClick={() => onOpen(request)}
        >
          {request.method} {request.path}
        </button>
        {request.body !== null && (
          <code dir="ltr" className="block truncate text-12 text-muted" title={request.body}>
            {request.body}
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
    cell: (request) => <bdi className="block max-w-40 truncate whitespace-nowrap">{keyNameOf(request)}</bdi>,
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
