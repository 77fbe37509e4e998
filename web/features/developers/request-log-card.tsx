import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
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
import { developerSearch, methods, outcomes, requestFilterOf } from './developer-search.ts';
import type { DeveloperSearch } from './developer-search.ts';

const outcomeWords: Readonly<Record<(typeof outcomes)[number], string>> = {
  success: 'Success',
  refused: 'Refused',
  failed: 'Failed',
};

type LogSearch = Pick<DeveloperSearch, 'outcome' | 'method' | 'key' | 'find'>;
type RequestLogCardProps = {
  projectId: number;
  search: LogSearch;
  onChange: (change: { [Key in keyof LogSearch]: LogSearch[Key] | undefined }) => void;
};

export function RequestLogCard({ projectId, search, onChange }: RequestLogCardProps) {
  const filter = requestFilterOf(search);
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
          <code dir="ltr" className="block truncate text-12 text-muted" title={body}>
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
      <bdi className="block max-w-40 truncate whitespace-nowrap">{name ?? callerWords[caller]}</bdi>
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
