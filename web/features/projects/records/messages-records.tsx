import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { usePageInUrl } from '#web/shared/table/page-in-url.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { messageColumns } from './message-columns.tsx';
import { MessageDetail } from './message-detail.tsx';
import { MessageFilters } from './message-filters.tsx';
import { useOpenRecords } from './record-toggle.tsx';
import type { RecordSearch } from './record-search.ts';
import { useRecordSearch } from './use-record-search.ts';

const pageSize = 10;

function useMessages(projectId: number, { messages: page = 1, direction, status, number }: RecordSearch) {
  const query = { page, pageSize, direction, status, search: number };
  return useQuery({
    queryKey: [...queryKeys.messages(projectId), query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/messages', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function MessagesRecords({ projectId }: { projectId: number }) {
  const [search, change] = useRecordSearch();
  const query = useMessages(projectId, search);
  const [page, onPage] = usePageInUrl('messages');
  const open = useOpenRecords();

  function openedDetail(message: Message) {
    return open.isOpen(message.id) ? <MessageDetail message={message} /> : undefined;
  }

  return (
    <Card flush title="Messages Records" actions={<MessageFilters search={search} onChange={change} />}>
      <DataTable
        label="Messages Records"
        columns={messageColumns(open)}
        rowKey={(message) => message.id}
        query={query}
        paging={{ page, pageSize, onPage }}
        empty="No messages found."
        failureText="Failed to load messages"
        detail={openedDetail}
      />
    </Card>
  );
}
