import { clsx } from 'clsx';
import { CalendarClock, Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { MessageStatus } from '#contracts/messages.ts';
import { readMarks, type Mark, type Marked } from './message-marks.ts';
import { statusWord } from './status-badge.tsx';

const ticks = {
  scheduled: { icon: CalendarClock, ink: '' },
  pending: { icon: Clock, ink: '' },
  sent: { icon: Check, ink: '' },
  delivered: { icon: CheckCheck, ink: '' },
  read: { icon: CheckCheck, ink: 'text-chat-tick' },
  failed: { icon: CircleAlert, ink: 'text-red-ink' },
} as const;

/** The wall behind bubbles. */
export function Chat({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={clsx('flex flex-col gap-1.5 bg-chat-wall px-4 py-5 text-chat-ink', className)}>{children}</div>
  );
}

type ChatBubbleProps = {
  text: string;
  /** As written under the text, `14:08`. */
  time: string;
  /** Ours, with ticks, or `unsent`: a preview, which claims none; without one the bubble is theirs. */
  status?: MessageStatus | 'unsent' | undefined;
  /** The file above the text. */
  carried?: ReactNode;
};

export function ChatBubble({ text, time, status, carried }: ChatBubbleProps) {
  return (
    <div
      className={clsx(
        'max-w-[88%] rounded-[10px] px-2.5 pt-1.5 pb-2 whitespace-pre-wrap [unicode-bidi:plaintext] shadow-[0_1px_1px_oklch(0_0_0/0.09)] wrap-anywhere',
        status === undefined ? 'self-start rounded-tl-[2px] bg-chat-in' : 'self-end rounded-tr-[2px] bg-chat-out',
      )}
    >
      {carried}
      <MarkedText parts={readMarks(text)} />
      <span className="float-right mt-1.5 -mr-0.5 -mb-1 ml-3 flex items-center gap-1 text-[0.6875rem] leading-3.5 text-chat-meta tabular-nums">
        {time}
        {status !== undefined && status !== 'unsent' && <Ticks status={status} />}
      </span>
    </div>
  );
}

const elements = { bold: 'strong', italic: 'em', struck: 's', mono: 'code' } as const satisfies Record<Mark, string>;

type MarkedTextProps = {
  parts: readonly Marked[];
  /** Shows what stands between marks; as it is where this is left out. */
  renderText?: ((text: string) => ReactNode) | undefined;
};

export function MarkedText({ parts, renderText }: MarkedTextProps) {
  return parts.map((part, index) => {
    if (typeof part === 'string')
      return renderText === undefined ? part : <Fragment key={index}>{renderText(part)}</Fragment>;
    const Element = elements[part.mark];
    return (
      <Element key={index}>
        <MarkedText parts={part.parts} renderText={renderText} />
      </Element>
    );
  });
}

/** How far a message of ours has come. */
export function Ticks({ status }: { status: MessageStatus }) {
  const { icon: Icon, ink } = ticks[status];
  return (
    <>
      <Icon aria-hidden="true" className={clsx('size-3.75 shrink-0', ink)} />
      <span className="sr-only">{statusWord(status)}</span>
    </>
  );
}
