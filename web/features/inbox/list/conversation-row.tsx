import { clsx } from 'clsx';
import { AlarmClock, Check, Clock, Lock, OctagonX } from 'lucide-react';
import { memo } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import { KindIcon } from '#web/shared/message/kind-icon.tsx';
import { useMentionText } from '#web/shared/message/mentions.tsx';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import { formatDateTime, formatListTime } from '#web/shared/time-format.ts';
import { useIsTyping } from '#web/shared/typing.ts';
import { Ticks } from '#web/shared/ui/chat-bubble.tsx';
import { useAssignees } from '../assignees.ts';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { windowLeft } from '../composer/window-left.tsx';
import { LabelDots } from '../labels/label-tag.tsx';
import { useContactName } from '../contact-name.tsx';

type ConversationRowProps = {
  conversation: Conversation;
  isOpen: boolean;
  /** Where the keyboard stands. */
  isActive: boolean;
  /** Whether it is chosen, while many are chosen to be changed at once. */
  isChosen: boolean | undefined;
  now: number;
  onOpen: (conversationId: number) => void;
};

/** Labels that a row has room for. */
const mostLabels = 3;

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, isOpen, isActive, isChosen, now, onOpen } = props;
  const { id, unread_count: unread, last_message: message } = conversation;
  const name = useContactName(conversation);
  const isTyping = useIsTyping(id);
  const assignee = useAssignees(conversation.project_id).find((member) => member.id === conversation.assigned_to);
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      aria-pressed={isChosen}
      data-conversation={id}
      onClick={() => onOpen(id)}
      className={clsx(
        conversation.labels.length > 0 ? 'h-23' : 'h-17',
        'grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-b px-4 text-left focus-visible:-outline-offset-2',
        isOpen ? 'bg-accent-subtle shadow-[inset_2px_0_var(--color-accent)]' : 'hover:bg-hover',
        isActive && !isOpen && 'bg-hover',
      )}
    >
      {isChosen === undefined ? (
        <Avatar id={id} name={conversation.name} />
      ) : (
        <span
          aria-hidden="true"
          className={clsx(
            'grid size-9 place-items-center rounded-full border border-control [&>svg]:size-4',
            isChosen && 'border-accent bg-accent text-on-accent',
          )}
        >
          {isChosen && <Check />}
        </span>
      )}
      <span className="grid min-w-0 gap-0.5">
        <bdi className={clsx('truncate', unread > 0 ? 'font-semibold' : 'font-medium')}>{name}</bdi>
        <span className={clsx('flex min-w-0 items-center gap-1 text-13', unread > 0 ? 'text-ink' : 'text-muted')}>
          {conversation.snoozed_until !== null && (
            <>
              <AlarmClock aria-hidden="true" className="size-3.5 shrink-0" />
              <span className="sr-only">Snoozed until {formatDateTime(conversation.snoozed_until)}. </span>
            </>
          )}
          {conversation.may_want_to_opt_out && (
            <>
              <OctagonX aria-hidden="true" className="size-3.5 shrink-0 text-yellow-ink" />
              <span className="sr-only">May want to opt out. </span>
            </>
          )}
          {isTyping ? (
            <span className="text-accent-ink">typing…</span>
          ) : message === null ? (
            'No messages'
          ) : (
            <Preview message={message} />
          )}
        </span>
        {conversation.labels.length > 0 && (
          <span className="flex min-w-0 gap-3 overflow-hidden pt-0.5">
            <LabelDots names={conversation.labels.slice(0, mostLabels)} projectId={conversation.project_id} />
            {conversation.labels.length > mostLabels && (
              <span className="shrink-0 text-12 text-muted">+{conversation.labels.length - mostLabels}</span>
            )}
          </span>
        )}
      </span>
      <span className="grid justify-items-end gap-1 self-center">
        <time
          dateTime={conversation.last_message_at}
          className={clsx('text-12 tabular-nums', unread > 0 ? 'text-accent-ink' : 'text-muted')}
        >
          {formatListTime(conversation.last_message_at, now)}
        </time>
        <span className="flex h-4.5 items-center gap-1">
          {conversation.window_expires_at !== null && <WindowTag at={conversation.window_expires_at} now={now} />}
          {assignee !== undefined && (
            <span title={`Assigned to ${assignee.name}`}>
              <Avatar id={assignee.id} name={assignee.name} size="tiny" />
              <span className="sr-only">Assigned to {assignee.name}</span>
            </span>
          )}
          {unread > 0 && (
            <span className="grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 text-[0.6875rem] leading-none font-semibold text-on-accent tabular-nums">
              {unread > 99 ? '99+' : unread}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </span>
      </span>
    </button>
  );
});

const hourMs = 3_600_000;

/** For how long a number of the official API may answer freely. */
function WindowTag({ at, now }: { at: string; now: number }) {
  const leftMs = Date.parse(at) - now;
  const isSoon = leftMs > 0 && leftMs < hourMs;
  const Icon = leftMs > 0 ? Clock : Lock;
  const left = leftMs < hourMs ? windowLeft(leftMs) : `${Math.floor(leftMs / hourMs)} h`;
  return (
    <span
      title={
        leftMs > 0 ? `Can be answered freely until ${formatDateTime(at)}` : `Window shut since ${formatDateTime(at)}`
      }
      className={clsx('flex items-center gap-1 text-12 tabular-nums', isSoon ? 'text-yellow-ink' : 'text-muted')}
    >
      <Icon aria-hidden="true" className="size-3" />
      <span className="sr-only">{leftMs > 0 ? 'Can be answered freely for ' : 'Window '}</span>
      {leftMs > 0 ? left : 'shut'}
    </span>
  );
}

function Preview({ message }: { message: NonNullable<Conversation['last_message']> }) {
  const text = useMentionText(messageSummary(message), message.context?.mentions ?? []);
  return (
    <>
      {message.direction === 'outgoing' && <Ticks status={message.status} />}
      <KindIcon message={message} />
      <span className="truncate" dir="auto">
        {text}
      </span>
    </>
  );
}
