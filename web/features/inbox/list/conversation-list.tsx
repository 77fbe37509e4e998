import { useVirtualizer } from '@tanstack/react-virtual';
import { Inbox, SearchX } from 'lucide-react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import { MentionNames } from '#web/shared/message/mentions.tsx';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { textScale } from '#web/shared/text-size.ts';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { useNow } from '#web/shared/use-now.ts';
import type { InboxSearch } from '../inbox-search.ts';
import { ConversationRow } from './conversation-row.tsx';
import type { useConversations } from './use-conversations.ts';

const rowHeight = 68;
const labelledHeight = 92;
const refreshMs = 60_000;
/** Rows before the end at which the next page is fetched. */
const ahead = 10;

export type ConversationListHandle = { show: (index: number) => void };

type ConversationListProps = {
  list: ReturnType<typeof useConversations>;
  search: InboxSearch;
  activeId: number | undefined;
  /** Given while many are chosen to be changed at once. */
  chosenIds: readonly number[] | undefined;
  onOpen: (conversationId: number) => void;
  onSearchAll: () => void;
  onClear: () => void;
  ref?: Ref<ConversationListHandle> | undefined;
};

export function ConversationList(props: ConversationListProps) {
  const { list, search, activeId, chosenIds, onOpen, onSearchAll, onClear, ref } = props;
  const { items, error, refetch } = list;
  if (items === undefined) {
    if (error === null) return <LoadingConversations />;
    return (
      <ErrorPanel
        title="Failed to load conversations"
        detail={errorText(error, 'Try again in a moment.')}
        onRetry={() => void refetch()}
      />
    );
  }
  if (items.length === 0) return <NoConversations search={search} onSearchAll={onSearchAll} onClear={onClear} />;
  return (
    <MentionNames value={list.mentionNames}>
      <Rows
        list={list}
        items={items}
        openId={search.conversation}
        activeId={activeId}
        chosenIds={chosenIds}
        onOpen={onOpen}
        ref={ref}
      />
    </MentionNames>
  );
}

type RowsProps = Pick<ConversationListProps, 'list' | 'activeId' | 'chosenIds' | 'onOpen' | 'ref'> & {
  items: readonly Conversation[];
  openId: number | undefined;
};

function Rows({ list, items, openId, activeId, chosenIds, onOpen, ref }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(refreshMs);
  const [scale] = useState(textScale);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by the compiler
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.labels.length ? labelledHeight : rowHeight) * scale,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
  });
  const heights = items.map(({ labels }) => (labels.length > 0 ? 1 : 0)).join('');
  // The heights of rows that have got labels, or lost them, are counted again.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, heights]);
  useImperativeHandle(ref, () => ({ show: (index) => virtualizer.scrollToIndex(index) }));
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const { hasOlder, loadOlder, olderError } = list;
  useEffect(() => {
    if (hasOlder && olderError === undefined && lastShown >= items.length - ahead) void loadOlder();
  }, [hasOlder, loadOlder, olderError, lastShown, items.length]);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Conversations" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const conversation = items[index];
          return (
            conversation !== undefined && (
              <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
                <ConversationRow
                  conversation={conversation}
                  isOpen={conversation.id === openId}
                  isActive={conversation.id === activeId}
                  isChosen={chosenIds?.includes(conversation.id)}
                  now={now}
                  onOpen={onOpen}
                />
              </li>
            )
          );
        })}
      </ul>
      {olderError !== undefined && (
        <p role="alert" className="flex items-center justify-center gap-3 px-4 py-3 text-13 text-muted">
          Failed to load more
          <Button size="small" onClick={() => void loadOlder()}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

function NoConversations({
  search: { search, status, assigned, label },
  onSearchAll,
  onClear,
}: Pick<ConversationListProps, 'search' | 'onSearchAll' | 'onClear'>) {
  if (search !== undefined) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden="true" />}
        title={`Nothing matches “${search}”`}
        hint={`Looked in names, numbers and texts of ${status ?? 'open'} conversations.`}
        action={
          <>
            {status !== 'all' && (
              <Button size="small" onClick={onSearchAll}>
                Search all
              </Button>
            )}
            <Button size="small" variant="ghost" onClick={onClear}>
              Clear
            </Button>
          </>
        }
      />
    );
  }
  if (label !== undefined) {
    return (
      <EmptyState
        icon={<Inbox aria-hidden="true" />}
        title={`Nothing is labelled “${label}”`}
        hint={`Looked in ${status === 'all' ? 'all' : (status ?? 'open')} conversations.`}
      />
    );
  }
  const assignedTexts = {
    me: ['Nothing is yours', 'A conversation that is assigned to you shows here.'],
    none: ['Somebody takes care of each', 'A conversation that nobody takes care of shows here.'],
  } as const;
  const texts = {
    unread: ['All caught up', 'What people write to this project’s phones shows here until somebody has read it.'],
    snoozed: [
      'Nothing is snoozed',
      'A conversation that you snooze waits here until its time, or until the person writes.',
    ],
    done: ['Nothing is done yet', 'Mark a conversation as done and it waits here until the person writes again.'],
    open: ['No conversations yet', 'When somebody writes to one of this project’s phones, it appears here.'],
  } as const;
  const [title, hint] =
    assigned === undefined
      ? texts[status === undefined || status === 'all' ? 'open' : status]
      : assignedTexts[assigned];
  return <EmptyState icon={<Inbox aria-hidden="true" />} title={title} hint={hint} />;
}

function LoadingConversations() {
  return (
    <div role="status" aria-label="Loading conversations..." className="overflow-hidden">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-17 items-center gap-3 border-b px-4">
          <Skeleton className="size-9 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-3 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
