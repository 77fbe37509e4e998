import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useCallback, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { attachments } from '#web/shared/attach/attachments.ts';
import { DropHint } from '#web/shared/attach/drop-hint.tsx';
import { useAttach } from '#web/shared/attach/use-attach.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { MediaViewing } from '#web/shared/message/media/viewing.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { formatDayName } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useNow } from '#web/shared/use-now.ts';
import { Composer, type ComposerHandle } from '../composer/composer.tsx';
import { usePendingReplies } from '../composer/pending-replies.ts';
import { useSendReply } from '../composer/use-send-reply.ts';
import { useContactName } from '../contact-name.tsx';
import { conversationQuery } from '../inbox-queries.ts';
import { OptOutHint } from './opt-out-hint.tsx';
import { PendingBubble } from './pending-bubble.tsx';
import { ThreadHead } from './thread-head.tsx';
import { ThreadLog, type ThreadLogHandle } from './thread-log.tsx';
import { ThreadMessage } from './thread-message.tsx';
import { threadRows, type ThreadRow } from './thread-rows.ts';
import { useJump } from './use-jump.ts';
import { useReactions } from './use-reactions.ts';
import { useReadOnSight } from './use-read-on-sight.ts';
import { useThread } from './use-thread.ts';

export type ThreadHandle = {
  focusComposer: () => void;
  toggleDone: () => void;
};

type ThreadProps = {
  conversationId: number;
  onBack: () => void;
  onShowContact: () => void;
  ref?: Ref<ThreadHandle> | undefined;
};

/** Give another conversation another `key`. */
export function Thread({ conversationId, onBack, onShowContact, ref }: ThreadProps) {
  const { data: conversation, error, refetch } = useQuery(conversationQuery(conversationId));
  if (conversation !== undefined) {
    return <OpenThread conversation={conversation} onBack={onBack} onShowContact={onShowContact} ref={ref} />;
  }
  if (error === null) return <LoadingThread />;
  if (hasStatus(error, 404)) {
    return (
      <EmptyState
        icon={<MessagesSquare aria-hidden="true" />}
        title="This conversation is not here"
        hint="It is of another project, or no longer kept."
        action={
          <Button size="small" onClick={onBack}>
            Back to conversations
          </Button>
        }
      />
    );
  }
  return (
    <ErrorPanel
      title="Failed to load the conversation"
      detail={errorText(error, 'Try again in a moment.')}
      onRetry={() => void refetch()}
    />
  );
}

type OpenThreadProps = Omit<ThreadProps, 'conversationId'> & { conversation: ConversationDetail };

const refreshMs = 60_000;

function OpenThread({ conversation, onBack, onShowContact, ref }: OpenThreadProps) {
  const { id, project_id: projectId } = conversation;
  const queryClient = useQueryClient();
  const thread = useThread({ projectId, conversationId: id });
  const pending = usePendingReplies(id);
  const [isAtNewest, setAtNewest] = useState(true);
  const [answered, setAnswered] = useState<Message>();
  const name = useContactName(conversation);
  const composer = useRef<ComposerHandle>(null);
  const log = useRef<ThreadLogHandle>(null);
  const attach = useAttach({
    place: `conversation ${id}`,
    projectId,
    onAttached: () => composer.current?.focus(),
  });
  const now = useNow(refreshMs);
  const { send, retry, discard } = useSendReply(conversation, thread.put);
  const { leaveUnread } = useReadOnSight(conversation, {
    newestId: thread.items?.find(({ direction }) => direction === 'incoming')?.id,
    isInSight: isAtNewest && thread.items !== undefined,
  });

  async function update(body: Partial<Pick<ConversationDetail, 'status' | 'assigned_to'>> & { read?: boolean }) {
    try {
      await callApi('PATCH /api/conversations/{conversationId}', { params: { conversationId: id }, body });
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
      await queryClient.invalidateQueries({ queryKey: queryKeys.conversationList(projectId) });
    } catch (error) {
      notify.error(errorText(error, 'The conversation was not changed'));
    }
  }
  const toggleDone = () =>
    void update({
      status: conversation.status === 'done' ? 'open' : 'done',
      ...(conversation.status === 'open' && { read: true }),
    });
  useImperativeHandle(ref, () => ({ focusComposer: () => composer.current?.focus(), toggleDone }));

  const { items, hasOlder, loadOlder } = thread;
  const rows = useMemo(
    () => threadRows(items ?? [], pending, { dayOf: (iso) => formatDayName(iso, now), isWhole: !hasOlder }),
    [items, pending, hasOlder, now],
  );
  const handleOlder = useCallback(() => void loadOlder(), [loadOlder]);
  const reactions = useReactions(id, thread.byId);
  const [markedId, setMarkedId] = useState<number>();
  const { jumpTo } = useJump({
    ids: items?.map((message) => message.id),
    hasOlder,
    isLoadingOlder: thread.isLoadingOlder,
    loadOlder: handleOlder,
    onFound(messageId) {
      setMarkedId(messageId);
      log.current?.toRow(String(messageId));
    },
  });

  function handleJump(messageId: number): void {
    // Marked once more, where it was before.
    setMarkedId(undefined);
    jumpTo(messageId);
  }

  function handleAnswer(message: Message): void {
    setAnswered(message);
    composer.current?.focus();
  }

  function handleSend(text: string, override: boolean): void {
    const attachment = attachments.takeReady(`conversation ${id}`);
    send({ text, attachment, override, replyTo: answered?.id });
    setAnswered(undefined);
    log.current?.toNewest();
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...attach.drop.handlers}>
      <ThreadHead
        conversation={conversation}
        onBack={onBack}
        onShowContact={onShowContact}
        onSetStatus={toggleDone}
        onAssign={(assigned_to) => void update({ assigned_to })}
        onUnread={() => {
          leaveUnread();
          void update({ read: false });
        }}
      />
      <OptOutHint conversation={conversation} />
      {items === undefined ? (
        thread.error === null ? (
          <LoadingMessages />
        ) : (
          <div className="min-h-0 flex-1">
            <ErrorPanel
              title="Failed to load messages"
              detail={errorText(thread.error, 'Try again in a moment.')}
              onRetry={() => void thread.refetch()}
            />
          </div>
        )
      ) : rows.length === 0 ? (
        <div className="min-h-0 flex-1">
          <EmptyState
            icon={<MessagesSquare aria-hidden="true" />}
            title="No messages yet"
            hint={`Write the first one to ${name}.`}
          />
        </div>
      ) : (
        <MediaViewing messages={items} nameOf={() => name}>
          <ThreadLog
            ref={log}
            label={`Messages with ${name}`}
            rows={rows}
            hasOlder={hasOlder}
            isLoadingOlder={thread.isLoadingOlder}
            olderError={thread.olderError}
            onOlder={handleOlder}
            onAtNewest={setAtNewest}
            renderRow={(row: ThreadRow) =>
              row.kind === 'pending' ? (
                <PendingBubble reply={row.reply} onRetry={retry} onDiscard={discard} />
              ) : (
                <ThreadMessage
                  message={reactions.withWanted(row.message)}
                  quoted={row.message.reply_to === null ? undefined : thread.byId(row.message.reply_to)}
                  name={name}
                  isMarked={row.message.id === markedId}
                  onAnswer={handleAnswer}
                  onReact={conversation.sending.can_send ? reactions.react : undefined}
                  onJump={handleJump}
                  now={now}
                  onChanged={thread.put}
                />
              )
            }
          />
        </MediaViewing>
      )}
      <Composer
        ref={composer}
        conversation={conversation}
        answered={answered && { message: answered, name: answered.direction === 'outgoing' ? 'yourself' : name }}
        onForgetAnswered={() => setAnswered(undefined)}
        attach={attach}
        onSend={handleSend}
        onSent={thread.put}
      />
      {attach.drop.isOver && <DropHint>Drop a file to attach it</DropHint>}
    </div>
  );
}

function LoadingThread() {
  return (
    <>
      <div className="flex h-16 shrink-0 items-center gap-3 border-b px-4">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-3 w-40" />
      </div>
      <LoadingMessages />
    </>
  );
}

function LoadingMessages() {
  return (
    <div
      role="status"
      aria-label="Loading messages..."
      className="grid min-h-0 flex-1 content-end gap-3 bg-chat-wall px-4 py-5"
    >
      <Skeleton className="h-9 w-3/5" />
      <Skeleton className="h-9 w-2/5 justify-self-end" />
      <Skeleton className="h-9 w-1/2" />
    </div>
  );
}
