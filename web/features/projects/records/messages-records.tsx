import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { usePageInUrl } from '#web/shared/table/page-in-url.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { CampaignChip } from './campaign-chip.tsx';
import { messageColumns } from './message-columns.tsx';
import { MessageDetail } from './message-detail.tsx';
import { MessageFilters } from './message-filters.tsx';
import { useOpenRecords } from './record-toggle.tsx';
import type { RecordSearch } from './record-search.ts';
import { useRecordSearch } from './use-record-search.ts';

const pageSize = 10;
const placeId = 'messages';

function useMessages(projectId: number, { messages: page = 1, direction, status, number, campaign }: RecordSearch) {
  const query = { page, pageSize, direction, status, search: number, campaign_id: campaign };
  return useQuery({
    queryKey: [...queryKeys.messages(projectId), query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/messages', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The router looks for the place of a link before the page has loaded what stands above it. */
function useScrollToHash(): void {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash === placeId) document.getElementById(placeId)?.scrollIntoView();
  }, [hash]);
}

export function MessagesRecords({ projectId }: { projectId: number }) {
  const [search, change] = useRecordSearch();
  const query = useMessages(projectId, search);
  const [page, onPage] = usePageInUrl('messages');
  const open = useOpenRecords();
  useScrollToHash();

  function openedDetail(message: Message) {
    return open.isOpen(message.id) ? <MessageDetail message={message} /> : undefined;
  }

  return (
    <Card
      flush
      id={placeId}
      className="scroll-mt-18"
      title="Messages Records"
      actions={<MessageFilters search={search} onChange={change} />}
    >
      {search.campaign !== undefined && (
        <div className="border-b px-4 py-2 sm:px-5">
          <CampaignChip
            campaignId={search.campaign}
            onRemove={() => change({ campaign: undefined, messages: undefined })}
          />
        </div>
      )}
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
