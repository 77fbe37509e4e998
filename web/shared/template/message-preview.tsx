import { useId, useState, type ReactNode } from 'react';
import { Chat, ChatBubble } from '../ui/chat-bubble.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { formatTime } from '../time-format.ts';

type MessagePreviewProps = {
  title: string;
  /** As the reader sees it, its placeholders filled; undefined while that is not known. */
  text: string | undefined;
  /** The file above the text. */
  carried?: ReactNode;
  /** In place of the bubble of a text. */
  bubble?: ReactNode;
  /** At the right of the title: whose it is, and how to see another's. */
  aside?: ReactNode;
  /** Beneath the bubble. */
  children?: ReactNode;
};

/** A message as it arrives, in a chat bubble. */
export function MessagePreview({ title, text, carried, bubble, aside, children }: MessagePreviewProps) {
  const titleId = useId();
  const [openedAt] = useState(() => formatTime(new Date().toISOString()));
  return (
    <section aria-labelledby={titleId} className="min-w-0 overflow-clip rounded-base border">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-1.5 text-13">
        <h3 id={titleId}>{title}</h3>
        {aside}
      </header>
      <ScrollRegion label={`${title}, scrolling`} className={carried || bubble ? 'max-h-96' : 'max-h-64'}>
        <Chat className="min-h-24">
          {bubble ??
            ((text === undefined || text.trim() === '') && !carried ? (
              <p className="m-auto text-13 text-chat-meta">Your message as it arrives</p>
            ) : (
              <ChatBubble text={text ?? ''} time={openedAt} status="unsent" carried={carried} />
            ))}
        </Chat>
      </ScrollRegion>
      {children}
    </section>
  );
}
