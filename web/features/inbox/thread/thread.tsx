import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useCallback, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { attachments } from '#web/shared/attach/attachments.ts';
import { DropHint } from '#web/shared/attach/drop-hint.tsx';
import { useAttach } from '#web/shared/attach/use-attach.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { MentionNames } from '#web/shared/message/mentions.tsx';
import { MediaViewing } from '#web/shared/message/media/viewing.tsx';
import { formatDateTime, formatDayName } from '#web/shared/time-format.ts';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import { useCan } from '#web/shared/session.ts';
import { Button, deniedText } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { NoteComposer } from '../composer/note-composer.tsx';
import { WriteChoice, type Written } from '../composer/write-choice.tsx';
import { Composer, type ComposerHandle, type WrittenReply } from '../composer/composer.tsx';
import { usePendingReplies } from '../composer/pending-replies.ts';
import { useSendReply } from '../composer/use-send-reply.ts';
import { useContactName } from '../contact-name.tsx';
import { conversationQuery } from '../inbox-queries.ts';
import { Writers } from './lookers.tsx';
import { OptOutHint } from './opt-out-hint.tsx';
import { PendingBubble } from './pending-bubble.tsx';
import { SnoozedNotice } from './snooze-menu.tsx';
import { ThreadChange } from './thread-change.tsx';
import { ThreadHead } from './thread-head.tsx';
import { ThreadLog, type ThreadLogHandle } from './thread-log.tsx';
import { ThreadMessage } from './thread-message.tsx';
import { ThreadNote } from './thread-note.tsx';
import { threadRows, type ThreadRow } from './thread-rows.ts';
import { useAnsweredMeanwhile } from './use-answered-meanwhile.ts';
import { useChanges, useNotes } from './use-beside-messages.ts';
import { useJump } from './use-jump.ts';
import { usePresence } from './use-presence.ts';
import { useReactions } from './use-reactions.ts';
import { useReadNotifications } from './use-read-notifications.ts';
import { useReadOnSight } from './use-read-on-sight.ts';
import { useThread } from './use-thread.ts';
import { useUpdate } from './use-update.ts';

export type ThreadHandle = {
  focusComposer: () => void;
  toggleDone: () => void;
};

type ThreadProps = {
  conversationId: number;
  onBack: () => void;
  onShowContact: () => void;
  /** Answers how to go to the conversation that is next by now, once this one is done or put aside. */
  planNext: () => () => void;
  ref?: Ref<ThreadHandle> | undefined;
};

/** Give another conversation another `key`. */
export function Thread({ conversationId, ...props }: ThreadProps) {
  const { data: conversation, error, refetch } = useQuery(conversationQuery(conversationId));
  useReadNotifications(conversationId);
  if (conversation !== undefined) {
    return <OpenThread conversation={conversation} {...props} />;
  }
  if (error === null) return <LoadingThread />;
  if (hasStatus(error, 404)) {
    return (
      <EmptyState
        icon={<MessagesSquare aria-hidden="true" />}
        title="This conversation is not here"
        hint="It is of another project, or no longer kept."
        action={
          <Button size="small" onClick={props.onBack}>
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

function OpenThread({ conversation, onBack, onShowContact, planNext, ref }: OpenThreadProps) {
  const { id, project_id: projectId } = conversation;
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
  const [written, setWritten] = useState<Written>('reply');
  const [isAsking, setAsking] = useState<WrittenReply>();
  const mayWrite = useCan()('messages:send');
  const { others, onWrite } = usePresence(conversation);
  const meanwhile = useAnsweredMeanwhile(thread.items);
  const { send, retry, discard } = useSendReply(conversation, thread.put);
  const { leaveUnread } = useReadOnSight(conversation, {
    newestId: thread.items?.find(({ direction }) => direction === 'incoming')?.id,
    isInSight: mayWrite && isAtNewest && thread.items !== undefined,
  });

  const { update, putAside } = useUpdate(conversation, { planNext });
  function toggleDone(): void {
    if (!mayWrite) return;
    if (conversation.status === 'done') void update({ status: 'open' });
    else void putAside({ status: 'done', read: true }, { text: `${name} is done`, undo: { status: 'open' } });
  }
  const handleSnooze = (until: Date | null) =>
    void (until === null
      ? update({ snoozed_until: null })
      : putAside(
          { snoozed_until: until.toISOString(), read: true },
          { text: `${name} is snoozed until ${formatDateTime(until.toISOString())}`, undo: { snoozed_until: null } },
        ));
  useImperativeHandle(ref, () => ({ focusComposer: () => composer.current?.focus(), toggleDone }));

  const { items, hasOlder, loadOlder } = thread;
  const shown = { conversationId: id, since: hasOlder ? items?.at(-1)?.created_at : undefined };
  const notes = useNotes(shown);
  const changes = useChanges(shown);
  const rows = useMemo(
    () =>
      threadRows(
        items ?? [],
        pending,
        { notes, changes },
        { dayOf: (iso) => formatDayName(iso, now), isWhole: !hasOlder },
      ),
    [items, pending, notes, changes, hasOlder, now],
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

  function sendNow(reply: WrittenReply): void {
    const attachment = attachments.takeReady(`conversation ${id}`);
    // Own messages that the server has not answered yet would count as another's answer.
    const seenUpTo = pending.length === 0 ? items?.[0]?.id : undefined;
    thread.nameMentions(reply.mentions.map(({ phone, name: mentioned }) => ({ person: phone, name: mentioned })));
    send({ ...reply, attachment, replyTo: answered?.id, seenUpTo });
    setAnswered(undefined);
    log.current?.toNewest();
  }

  function handleSend(reply: WrittenReply): boolean {
    if (meanwhile.answer !== undefined) setAsking(reply);
    else sendNow(reply);
    return meanwhile.answer === undefined;
  }

  function handleWrite(text: string): void {
    meanwhile.onWrite(text);
    onWrite(text);
  }

  const choice = <WriteChoice value={written} onChange={setWritten} />;

  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...(mayWrite && attach.drop.handlers)}>
      <ThreadHead
        conversation={conversation}
        others={others}
        onBack={onBack}
        onShowContact={onShowContact}
        onSetStatus={toggleDone}
        onAssign={(assigned_to) => void update({ assigned_to })}
        onSnooze={handleSnooze}
        onUnread={() => {
          leaveUnread();
          void update({ read: false });
        }}
      />
      <SnoozedNotice conversation={conversation} onSnooze={handleSnooze} />
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
      ) : rows.every(({ kind }) => kind === 'change') ? (
        <div className="min-h-0 flex-1">
          <EmptyState
            icon={<MessagesSquare aria-hidden="true" />}
            title="No messages yet"
            hint={`Write the first one to ${name}.`}
          />
        </div>
      ) : (
        <MentionNames value={thread.mentionNames}>
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
                row.kind === 'note' ? (
                  <ThreadNote note={row.note} />
                ) : row.kind === 'change' ? (
                  <ThreadChange change={row.change} now={now} />
                ) : row.kind === 'pending' ? (
                  <PendingBubble reply={row.reply} onRetry={retry} onDiscard={discard} />
                ) : (
                  <ThreadMessage
                    message={reactions.withWanted(row.message)}
                    quoted={row.message.reply_to === null ? undefined : thread.byId(row.message.reply_to)}
                    name={name}
                    isMarked={row.message.id === markedId}
                    onAnswer={mayWrite ? handleAnswer : undefined}
                    onReact={mayWrite && conversation.sending.can_send ? reactions.react : undefined}
                    onJump={handleJump}
                    now={now}
                    onChanged={thread.put}
                  />
                )
              }
            />
          </MediaViewing>
        </MentionNames>
      )}
      <Writers others={others} />
      {meanwhile.answer !== undefined && written === 'reply' && (
        <div className="flex items-center gap-3 border-t bg-yellow-wash px-4 py-2 text-13 text-yellow-ink">
          <p role="alert" className="min-w-0 flex-1">
            Somebody answered while you were writing.
          </p>
          <Button size="small" onClick={meanwhile.onSeen}>
            Seen
          </Button>
        </div>
      )}
      {!mayWrite ? (
        <p className="border-t bg-page px-4 py-3 text-13 text-muted">{deniedText}</p>
      ) : written === 'note' ? (
        <NoteComposer
          ref={composer}
          conversation={conversation}
          onWrite={onWrite}
          onAdded={() => log.current?.toNewest()}
          top={choice}
        />
      ) : (
        <Composer
          ref={composer}
          top={choice}
          onWrite={handleWrite}
          conversation={conversation}
          answered={answered && { message: answered, name: answered.direction === 'outgoing' ? 'yourself' : name }}
          onForgetAnswered={() => setAnswered(undefined)}
          attach={attach}
          onSend={handleSend}
          onSent={thread.put}
        />
      )}
      {isAsking !== undefined && (
        <ConfirmDialog
          isOpen
          title="Send it all the same?"
          confirmLabel="Send anyway"
          cancelLabel="Keep editing"
          danger={false}
          onClose={() => setAsking(undefined)}
          onConfirm={() => {
            meanwhile.onSeen();
            sendNow(isAsking);
            composer.current?.clear();
          }}
        >
          {`Somebody answered while you were writing: “${meanwhile.answer === undefined ? '' : messageSummary(meanwhile.answer)}”`}
        </ConfirmDialog>
      )}
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
