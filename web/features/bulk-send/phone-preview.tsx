import { useState } from 'react';
import type { CarriedFile } from '#web/shared/attach/carried-file.ts';
import { CarriedPreview } from '#web/shared/attach/carried-preview.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { initials } from '#web/shared/initials.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { BoundPreview } from '#web/shared/whatsapp-template/bound-preview.tsx';
import type { BoundTemplateForm } from '#web/shared/whatsapp-template/use-bound-template.ts';
import type { Contact } from './csv/contact.ts';
import { showLinks } from '#web/shared/template/show-links.ts';
import { fillMessage } from './fill-message.ts';

const nobody = { name: 'John' };

type PhonePreviewProps = {
  message: string;
  /** Its file, stored or on its way. */
  carried: CarriedFile['shown'];
  /** The template that stands in place of the text. */
  bound: Pick<BoundTemplateForm, 'value' | 'template'> | undefined;
  contact: Contact | undefined;
  caption: string;
};

/** The message on the handset of one row; of John before there are rows. */
export function PhonePreview({ message, carried, bound, contact, caption }: PhonePreviewProps) {
  const [openedAt] = useState(() => formatTime(new Date().toISOString()));
  const fill = (typed: string) => fillMessage(showLinks(typed), contact?.fields ?? nobody);
  const text = fill(message);
  const name = contact?.name || nobody.name;
  return (
    <section
      aria-label="Preview"
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 xl:sticky xl:top-20 xl:col-start-2 xl:row-span-2 xl:row-start-1"
    >
      <div className="rounded-base xl:rounded-[36px] xl:border xl:border-line-strong xl:bg-surface xl:p-1.75">
        <div className="flex flex-col overflow-hidden rounded-base border bg-chat-wall xl:h-120 xl:rounded-[28px]">
          <div className="flex items-center gap-2.5 border-b bg-surface px-3.5 py-2.5 xl:pt-4.5">
            <span
              aria-hidden="true"
              className="grid size-8.5 shrink-0 place-items-center rounded-full bg-raised text-12 font-semibold text-muted"
            >
              {initials(name)}
            </span>
            <div className="min-w-0 leading-4.5">
              <p className="truncate font-semibold">
                <bdi>{name}</bdi>
              </p>
              {contact !== undefined && (
                <p className="text-12 text-muted">
                  <PhoneText digits={contact.to} />
                </p>
              )}
            </div>
          </div>
          <Chat className="min-h-32 flex-1 overflow-y-auto">
            {bound ? (
              <BoundPreview form={{ ...bound, file: { shown: carried } }} fill={fill} />
            ) : text.trim() === '' && carried === undefined ? (
              <p className="m-auto text-13 text-chat-meta">Your message as it arrives</p>
            ) : (
              <ChatBubble
                text={text}
                time={openedAt}
                status="unsent"
                carried={carried && <CarriedPreview shown={carried} />}
              />
            )}
          </Chat>
        </div>
      </div>
      <p className="text-center text-13 text-muted">{caption}</p>
    </section>
  );
}
