import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import type { WebhookRecord, WebhookStatus } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { usePageInUrl } from '#web/shared/table/page-in-url.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { useOpenRecords } from './record-toggle.tsx';
import { webhookStatuses, type RecordSearch } from './record-search.ts';
import { useRecordSearch } from './use-record-search.ts';
import { webhookColumns } from './webhook-columns.tsx';
import { WebhookDetail } from './webhook-detail.tsx';

const pageSize = 10;

function useWebhooks(projectId: number, { webhooks: page = 1, delivery: status }: RecordSearch) {
  const query = { page, pageSize, status };
  return useQuery({
    queryKey: [...queryKeys.webhooks(projectId), query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/webhooks', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function WebhooksRecords({ project }: { project: Project }) {
  const [search, change] = useRecordSearch();
  const query = useWebhooks(project.id, search);
  const [page, onPage] = usePageInUrl('webhooks');
  const open = useOpenRecords();
  const hasRoom = useMediaQuery('(min-width: 1280px)');

  function openedDetail(record: WebhookRecord) {
    if (!open.isOpen(record.id)) return undefined;
    // The project says it of its first endpoint; of another one the server does, once it is asked.
    const isOff = record.endpoint_id === null && project.webhook_disabled_at !== null;
    return <WebhookDetail key={String(isOff)} record={record} projectId={project.id} isOff={isOff} />;
  }

  return (
    <Card
      flush
      title="Webhooks Records"
      actions={
        <SelectInput
          size="small"
          aria-label="Webhook status"
          placeholder="Any status"
          options={webhookStatuses.map((value) => ({ value, label: statusWord(value) }))}
          value={search.delivery ?? ''}
          onChange={({ target }) =>
            change({ delivery: (target.value as WebhookStatus) || undefined, webhooks: undefined })
          }
        />
      }
    >
      <DataTable
        label="Webhooks Records"
        columns={webhookColumns(open, hasRoom)}
        rowKey={(record) => record.id}
        query={query}
        paging={{ page, pageSize, onPage }}
        empty="No webhooks found."
        failureText="Failed to load webhooks"
        detail={openedDetail}
      />
    </Card>
  );
}
