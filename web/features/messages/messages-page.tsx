import { useMutation } from '@tanstack/react-query';
import { Download, MessagesSquare, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { SavedViews } from '#web/shared/table/saved-views.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { Filters } from './filters.tsx';
import { messageColumns } from './message-columns.tsx';
import { MessageDrawer } from './message-drawer.tsx';
import { filterOf, useMessageSearch, type MessageSearch } from './message-search.ts';
import { useMessages } from './use-messages.ts';

export function MessagesPage() {
  const { search, change } = useMessageSearch();
  const { message: _, ...filter } = search;
  const [isEmpty, setEmpty] = useState(false);
  return (
    <>
      <PageHeader
        title="Messages"
        description="Everything sent and received, in all projects"
        actions={
          <>
            {!isEmpty && <SavedViews list="messages" size="medium" />}
            <DownloadButton search={filter} />
          </>
        }
      />
      <Card flush className="overflow-hidden">
        {!isEmpty && <Filters search={search} onChange={change} />}
        <MessagesTable key={JSON.stringify(filter)} onEmpty={setEmpty} />
      </Card>
    </>
  );
}

/** Says by `onEmpty` whether there are no messages at all. */
function MessagesTable({ onEmpty }: { onEmpty: (isEmpty: boolean) => void }) {
  const { search, change, open, close } = useMessageSearch();
  const { message: openId, ...filter } = search;
  const messages = useMessages(filter);
  const { items } = messages;
  const at = items?.findIndex(({ id }) => id === openId) ?? -1;
  const isFiltered = Object.keys(filter).length > 0;
  const isEmpty = !isFiltered && items?.length === 0;
  useEffect(() => onEmpty(isEmpty), [onEmpty, isEmpty]);
  return (
    <>
      <DataTable
        label="Messages"
        columns={messageColumns({ nameOf: messages.nameOf, onOpen: open })}
        rowKey={({ id }) => id}
        query={{
          data: items && { data: items },
          error: messages.error,
          isFetching: messages.isFetching,
          refetch: messages.refetch,
        }}
        skeletonRows={12}
        failureText="Failed to load messages"
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX aria-hidden="true" />}
              title="No message matches"
              hint="Try fewer filters, or part of a word."
              action={
                <Button
                  size="small"
                  onClick={() =>
                    change({
                      search: undefined,
                      from: undefined,
                      to: undefined,
                      direction: undefined,
                      status: undefined,
                      type: undefined,
                      source: undefined,
                    })
                  }
                >
                  Clear filters
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={<MessagesSquare aria-hidden="true" />}
              title="No messages yet"
              hint="What your projects send and receive appears here."
            />
          )
        }
      />
      {messages.hasOlder && (
        <div className="flex flex-wrap items-center justify-center gap-3 border-t px-4 py-3">
          {messages.olderError !== undefined && (
            <p role="alert" className="text-13 text-red-ink">
              {errorText(messages.olderError, 'Failed to load more')}
            </p>
          )}
          <Button busy={messages.isLoadingOlder && 'Loading...'} onClick={() => void messages.loadOlder()}>
            Load more
          </Button>
        </div>
      )}
      {openId !== undefined && (
        <MessageDrawer
          messageId={openId}
          nameOf={messages.nameOf}
          newerId={at > 0 ? items?.[at - 1]?.id : undefined}
          olderId={at < 0 ? undefined : items?.[at + 1]?.id}
          onOpen={open}
          onClose={close}
        />
      )}
    </>
  );
}

function DownloadButton({ search }: { search: MessageSearch }) {
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/messages/export', { query: filterOf(search) }, 'messages.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to download the messages')),
  });
  return (
    <Button
      needs="data:export"
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Downloading...'}
      onClick={() => save.mutate()}
    >
      Download CSV
    </Button>
  );
}
