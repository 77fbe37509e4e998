import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { WebhookEventType } from '#contracts/webhooks.ts';
import type { WebhookRecord, WebhookStatus } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { endpointsQuery, queryKeys } from '#web/shared/queries.ts';
import type { Column } from '#web/shared/table/column.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { usePageInUrl } from '#web/shared/table/page-in-url.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { StatusBadge, statusWord } from '#web/shared/ui/status-badge.tsx';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { eventColumn } from './event-column.tsx';
import { webhookStatuses } from './record-search.ts';
import { useOpenRecords } from './record-toggle.tsx';
import { WebhookDetail } from './webhook-detail.tsx';

const pageSize = 20;

const nameOf = ({ description, url }: WebhookEndpoint) => description ?? url.replace(/^https?:\/\//, '');

type Filter = { endpoint?: number; delivery?: WebhookStatus; event?: WebhookEventType };
type FilterChange = { [Key in keyof Filter]?: Filter[Key] | undefined };

function useFilter(): [filter: Filter, change: (next: FilterChange) => void] {
  const { endpoint, delivery, event } = useSearch({ from: '/shell/projects/$projectId/developers' });
  const address = useSearchChange();
  const type = WebhookEventType.options.find((known) => known === event);
  const filter = { ...(endpoint && { endpoint }), ...(delivery && { delivery }), ...(type && { event: type }) };
  const change = (next: FilterChange) => address.change({ ...next, deliveries: undefined });
  return [filter, change];
}

/** The deliveries to the endpoints of a project, each with its attempts and a way to send it again. */
export function EndpointDeliveries({ projectId }: { projectId: number }) {
  const [filter, change] = useFilter();
  const [page, onPage] = usePageInUrl('deliveries');
  const open = useOpenRecords();
  const endpoints = useQuery(endpointsQuery(projectId)).data?.data ?? [];
  const query = useDeliveries(projectId, { ...filter, page });
  const endpointOf = ({ endpoint_id: id }: WebhookRecord) =>
    endpoints.find((endpoint) => (id === null ? endpoint.is_first : endpoint.id === id));
  const chosen = endpoints.find(({ id }) => id === filter.endpoint);
  const isNarrowed = Object.keys(filter).length > 0;
  // Columns left out here stand in the opened record.
  const hasRoom = useMediaQuery('(min-width: 1280px), (max-width: 720px)');
  const columns = deliveryColumns(open, endpointOf);
  function openedDetail(record: WebhookRecord) {
    if (!open.isOpen(record.id)) return undefined;
    const isOff = typeof endpointOf(record)?.disabled_at === 'string';
    return <WebhookDetail key={String(isOff)} record={record} projectId={projectId} isOff={isOff} />;
  }

  return (
    <Card
      flush
      title={chosen ? `Deliveries to ${nameOf(chosen)}` : 'Deliveries'}
      description="Open one for what was sent, each attempt and its answer."
      actions={
        <>
          <SelectInput
            size="small"
            aria-label="Endpoint"
            placeholder="Any endpoint"
            options={endpoints.map((endpoint) => ({ value: String(endpoint.id), label: nameOf(endpoint) }))}
            value={filter.endpoint ?? ''}
            onChange={({ target }) => change({ endpoint: Number(target.value) || undefined })}
            className="max-w-48 max-sm:w-full max-sm:max-w-none"
          />
          <SelectInput
            size="small"
            aria-label="Event"
            placeholder="Any event"
            options={WebhookEventType.options.map((value) => ({ value, label: value }))}
            value={filter.event ?? ''}
            onChange={({ target }) => change({ event: (target.value as WebhookEventType) || undefined })}
            className="max-sm:w-full"
          />
          <SelectInput
            size="small"
            aria-label="Delivery status"
            placeholder="Any status"
            options={webhookStatuses.map((value) => ({ value, label: statusWord(value) }))}
            value={filter.delivery ?? ''}
            onChange={({ target }) => change({ delivery: (target.value as WebhookStatus) || undefined })}
            className="max-sm:w-full"
          />
        </>
      }
    >
      <DataTable
        label="Deliveries"
        columns={hasRoom ? columns : columns.filter(({ id }) => id !== 'sequence' && id !== 'attempts')}
        rowKey={({ id }) => id}
        query={query}
        paging={{ page, pageSize, onPage }}
        empty={isNarrowed ? 'No delivery matches.' : 'Nothing has been delivered yet.'}
        failureText="Failed to load deliveries"
        detail={openedDetail}
      />
    </Card>
  );
}

function useDeliveries(projectId: number, { endpoint, delivery, event, page }: Filter & { page: number }) {
  const query = { page, pageSize, endpoint_id: endpoint, status: delivery, type: event };
  return useQuery({
    queryKey: [...queryKeys.webhooks(projectId), query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/webhooks', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

function deliveryColumns(
  open: ReturnType<typeof useOpenRecords>,
  endpointOf: (record: WebhookRecord) => WebhookEndpoint | undefined,
): readonly Column<WebhookRecord>[] {
  return [
    eventColumn(open),
    {
      id: 'sequence',
      header: 'Sequence',
      align: 'right',
      cell: ({ sequence }) => <span className="text-muted">{sequence ?? '–'}</span>,
    },
    {
      id: 'endpoint',
      header: 'Endpoint',
      fluid: true,
      cell: (record) => {
        const endpoint = endpointOf(record);
        const name = endpoint ? nameOf(endpoint) : record.url.replace(/^https?:\/\//, '');
        return (
          <span className="block min-w-0 truncate text-13 text-muted" title={record.url}>
            <bdi>{name}</bdi>
          </span>
        );
      },
    },
    {
      id: 'state',
      header: 'State',
      onCard: 'badge',
      cell: ({ status }) => <StatusBadge kind="webhook" status={status} />,
    },
    {
      id: 'answer',
      header: 'Answer',
      cell: ({ last_status_code: code, error }) =>
        code ??
        (error === null ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="text-13 whitespace-nowrap" title={error}>
            No answer
          </span>
        )),
    },
    { id: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    {
      id: 'at',
      header: 'When',
      align: 'right',
      cell: ({ created_at: at }) => (
        <span className="text-muted">
          <DateTime at={at} />
        </span>
      ),
    },
  ];
}
