import { useState } from 'react';
import type { Review } from '#contracts/reviews.ts';
import { CarriedContent } from '../message/carried-content.tsx';
import { formatTime } from '../time-format.ts';
import { Chat, ChatBubble } from '../ui/chat-bubble.tsx';
import { PhoneText } from '../ui/phone-text.tsx';
import { FilledBubble } from '../whatsapp-template/template-bubble.tsx';
import { languageName } from '../whatsapp-template/template-words.ts';

/** The message as some of those read it who will get it. */
export function ReviewSamples({ samples, media, template }: Pick<Review, 'samples' | 'media' | 'template'>) {
  const [openedAt] = useState(() => formatTime(new Date().toISOString()));
  return (
    <section aria-label="As they will see it" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-13 font-medium">As they will see it</h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-4 *:max-w-80">
        {samples.map(({ name, phone, message, template: filled }, index) => (
          <li
            key={`${phone} ${index}`}
            className="flex min-w-0 flex-col overflow-clip rounded-base border bg-chat-wall"
          >
            <p className="flex min-w-0 flex-wrap gap-x-2 border-b bg-surface px-3 py-2 text-13">
              {name !== null && (
                <bdi className="max-w-full truncate font-medium" title={name}>
                  {name}
                </bdi>
              )}
              <span className="text-muted">
                <PhoneText digits={phone} />
                {filled && ` · ${languageName(filled.language)}`}
              </span>
            </p>
            <Chat className="min-h-20 flex-1">
              {filled ? (
                <FilledBubble
                  header={filled.header}
                  body={message}
                  footer={filled.footer}
                  buttons={filled.buttons}
                  carried={template?.header_media && <CarriedContent media={template.header_media} isWhole />}
                />
              ) : (
                <ChatBubble
                  text={message}
                  time={openedAt}
                  status="unsent"
                  carried={media !== null && <CarriedContent media={media} isWhole />}
                />
              )}
            </Chat>
          </li>
        ))}
      </ul>
    </section>
  );
}
