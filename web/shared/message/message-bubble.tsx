import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { formatExactTime, formatTime } from '#web/shared/time-format.ts';
import { MarkedText, Ticks } from '#web/shared/ui/chat-bubble.tsx';
import { readMarks } from '#web/shared/ui/message-marks.ts';
import { KindIcon } from './kind-icon.tsx';
import { Thumbnail } from './media/thumbnail.tsx';
import { useMentionsIn } from './mentions.tsx';
import { MessageBody } from './message-body.tsx';
import { messageSummary, sourceWord } from './message-summary.ts';

type MessageBubbleProps = {
  message: Message;
  /** The message that it answers, where it is known. */
  quoted?: Message | undefined;
  /** The name of the other side. */
  name: string;
  /** Beside the bubble: what can be done with it. */
  actions?: ReactNode;
  /** Goes to the message that it answers. */
  onShowQuoted?: (() => void) | undefined;
  /** Takes the own reaction back. */
  onTakeBack?: (() => void) | undefined;
};

/** A message as the handset shows it, with its source unless that was a person. */
export function MessageBubble(props: MessageBubbleProps) {
  const { message, quoted, name, actions, onShowQuoted, onTakeBack } = props;
  const { direction, status, created_at: at, edited_at: editedAt, reactions, source, error } = message;
  const isOurs = direction === 'outgoing';
  const isBySomething = source !== null && source !== 'inbox';
  return (
    <div className={clsx('group/message flex w-full flex-col gap-0.5', isOurs ? 'items-end' : 'items-start')}>
      <div className={clsx('flex w-full items-center gap-1.5', isOurs && 'flex-row-reverse')}>
        <div
          className={clsx(
            'relative max-w-[min(88%,34rem)] min-w-0 rounded-[10px] px-2.5 pt-1.5 pb-1.5 text-chat-ink shadow-[0_1px_1px_oklch(0_0_0/0.09)]',
            isOurs ? 'rounded-tr-[2px] bg-chat-out' : 'rounded-tl-[2px] bg-chat-in',
          )}
        >
          <span className="sr-only">{isOurs ? 'You:' : `${name}:`}</span>
          {message.reply_to !== null && <Quoted message={quoted} name={name} onShow={onShowQuoted} />}
          <MessageBody message={message} />
          <span className="mt-0.5 flex items-center justify-end gap-1 text-[0.6875rem] leading-3.5 text-chat-meta tabular-nums">
            {isBySomething && <span>{sourceWord(source)} ·</span>}
            {editedAt !== null && <span>Edited</span>}
            <time dateTime={at} title={formatExactTime(at)}>
              {formatTime(at)}
            </time>
            {isOurs && <Ticks status={status} />}
          </span>
        </div>
        {actions !== undefined && (
          <div className="shrink-0 opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 max-sm:opacity-100">
            {actions}
          </div>
        )}
      </div>
      {reactions.length > 0 && <Reactions reactions={reactions} name={name} onTakeBack={onTakeBack} />}
      {error !== null && <p className="max-w-[min(88%,34rem)] px-1 text-12 text-red-ink">{error}</p>}
    </div>
  );
}

type ReactionsProps = Pick<Message, 'reactions'> & Pick<MessageBubbleProps, 'name' | 'onTakeBack'>;

function Reactions({ reactions, name, onTakeBack }: ReactionsProps) {
  return (
    <p className="relative z-1 mx-2 -mt-1.5 flex rounded-full border bg-chat-in px-1.5 text-13 leading-5">
      <span className="sr-only">Reactions: </span>
      {reactions.map(({ emoji, from_me: isOwn }) =>
        isOwn && onTakeBack !== undefined ? (
          <button
            key="own"
            type="button"
            aria-label={`Your reaction ${emoji}: take it back`}
            title="You: take it back"
            onClick={onTakeBack}
            className="-mx-0.5 rounded-full px-0.5 hover:bg-hover"
          >
            {emoji}
          </button>
        ) : (
          <span key={String(isOwn)} title={isOwn ? 'You' : name}>
            {emoji}
          </span>
        ),
      )}
    </p>
  );
}

type QuotedProps = { message: Message | undefined; name: string; onShow: (() => void) | undefined };

function Quoted({ message, name, onShow }: QuotedProps) {
  const renderText = useMentionsIn(message?.context?.mentions ?? []);
  const className =
    'mb-1 flex w-full items-center gap-2 rounded-small border-l-3 border-accent bg-[oklch(0_0_0/0.05)] px-2 py-1 text-left text-12 dark:bg-[oklch(0_0_0/0.2)]';
  const content = (
    <>
      <span className="min-w-0 flex-1">
        <b className="block font-medium">{message?.direction === 'outgoing' ? 'You' : name}</b>
        <span className="line-clamp-2 text-chat-meta wrap-anywhere">
          {message === undefined ? (
            'A message that is no longer kept'
          ) : (
            <span className="flex items-center gap-1">
              <KindIcon message={message} />
              <span className="line-clamp-2 wrap-anywhere">
                <MarkedText parts={readMarks(messageSummary(message))} renderText={renderText} />
              </span>
            </span>
          )}
        </span>
      </span>
      {message !== undefined && <Thumbnail message={message} className="size-9" />}
    </>
  );
  if (onShow === undefined) return <span className={className}>{content}</span>;
  return (
    <button
      type="button"
      title="Show the message"
      onClick={onShow}
      className={`${className} hover:bg-[oklch(0_0_0/0.08)] dark:hover:bg-[oklch(0_0_0/0.3)]`}
    >
      {content}
    </button>
  );
}
