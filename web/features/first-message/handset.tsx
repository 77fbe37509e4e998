import { SendHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import { initials } from '#web/shared/initials.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { useAnswerAsSam } from './sam.ts';

type HandsetProps = { projectName: string; phoneId: number; messages: readonly Message[] };

/** As Sam sees it: what the project sends comes in at the left, and Sam answers below. */
export function Handset({ projectName, phoneId, messages }: HandsetProps) {
  const shown = messages.filter(({ direction, sent_at: sentAt }) => direction === 'incoming' || sentAt !== null);
  const hasStopped = shown.findLast(({ direction }) => direction === 'incoming')?.message.trim() === 'STOP';
  return (
    <section aria-label="Sam’s handset" className="grid justify-items-center gap-3">
      <div className="text-center">
        <h2 className="text-14">Sam’s handset</h2>
        <p className="text-13 text-muted">Tap and type: you are Sam here</p>
      </div>
      <div className="w-full max-w-75 rounded-[2.25rem] border-2 border-line-strong bg-surface p-1.5 shadow-popover">
        <div className="flex h-136 flex-col overflow-hidden rounded-[1.75rem] border bg-chat-wall">
          <header className="flex items-center gap-2.5 border-b bg-surface px-4 py-3">
            <span
              aria-hidden="true"
              className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-subtle text-12 font-semibold text-accent-ink"
            >
              {initials(projectName)}
            </span>
            <div className="min-w-0">
              <p dir="auto" className="truncate text-left font-medium">
                {projectName}
              </p>
              <p className="text-12 text-muted">online</p>
            </div>
          </header>
          <div
            role="log"
            aria-label="Chat on Sam’s handset"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region takes the focus
            tabIndex={0}
            className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto focus-visible:-outline-offset-2"
          >
            <Chat className="flex-1">
              {shown.length === 0 && <p className="m-auto text-13 text-chat-meta">Nothing has come yet</p>}
              {shown.map(({ id, direction, message, created_at: at }) => (
                <div key={id} className="flex animate-pop-in flex-col">
                  <ChatBubble
                    text={message}
                    time={formatTime(at)}
                    status={direction === 'incoming' ? 'delivered' : undefined}
                  />
                </div>
              ))}
            </Chat>
          </div>
          <Answer
            phoneId={phoneId}
            isReady={shown.length > 0}
            quick={hasStopped ? ['START'] : ['Thank you!', 'Until when?', 'STOP']}
          />
        </div>
      </div>
    </section>
  );
}

/** `isReady`: something came that can be answered. */
function Answer({ phoneId, isReady, quick }: { phoneId: number; isReady: boolean; quick: readonly string[] }) {
  const [text, setText] = useState('');
  const answer = useAnswerAsSam(phoneId);
  const isOff = !isReady || answer.isPending;
  const send = (message: string) => answer.mutate(message, { onSuccess: () => setText('') });
  return (
    <form
      className="grid gap-2 px-2.5 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !isOff) send(text.trim());
      }}
    >
      <div className="flex flex-wrap gap-1.5">
        {quick.map((words) => (
          <button
            key={words}
            type="button"
            disabled={isOff}
            onClick={() => send(words)}
            className="h-7 flex-1 rounded-full border border-control bg-surface px-2 text-12 font-medium whitespace-nowrap text-accent-ink hover:bg-hover disabled:text-muted"
          >
            {words}
          </button>
        ))}
      </div>
      <div className="flex items-center gap-2">
        <input
          aria-label="Answer as Sam"
          placeholder="Answer as Sam"
          dir="auto"
          maxLength={1000}
          disabled={!isReady}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="h-9 min-w-0 flex-1 rounded-full border border-control bg-surface px-3.5 text-13 placeholder:text-muted"
        />
        <button
          type="submit"
          aria-label="Send as Sam"
          disabled={isOff || text.trim() === ''}
          className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-on-accent disabled:bg-gray-wash disabled:text-muted"
        >
          <SendHorizontal aria-hidden="true" className="size-4" />
        </button>
      </div>
    </form>
  );
}
