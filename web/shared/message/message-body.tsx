import { Ban, CircleQuestionMark, ExternalLink, Hourglass, MapPin, Phone } from 'lucide-react';
import type { Message } from '#contracts/messages.ts';
import { MarkedText } from '#web/shared/ui/chat-bubble.tsx';
import { readMarks } from '#web/shared/ui/message-marks.ts';
import { ContactCards } from './contact-cards.tsx';
import { ContentBox } from './content-box.tsx';
import { ContextMarks, ExtraContent } from './extra-content.tsx';
import { LinkCard } from './link-card.tsx';
import { useMentionsIn } from './mentions.tsx';
import { FileContent } from './media/file-content.tsx';
import { kindWord } from './message-summary.ts';

/** The content of a bubble: the carried file, then its text. */
export function MessageBody({ message }: { message: Message }) {
  const renderText = useMentionsIn(message.context?.mentions ?? []);
  if (message.deleted_at !== null) {
    return (
      <span className="flex items-center gap-1.5 text-chat-meta italic">
        <Ban aria-hidden="true" className="size-3.5 shrink-0" />
        This message was deleted
      </span>
    );
  }
  return (
    <>
      <ContextMarks context={message.context} />
      <Carried message={message} />
      <ExtraContent message={message} />
      {message.template?.header && <strong className="block wrap-anywhere">{message.template.header}</strong>}
      {message.context?.preview && <LinkCard preview={message.context.preview} />}
      {message.message !== '' && message.poll === null && (
        <span className="block whitespace-pre-wrap [unicode-bidi:plaintext] wrap-anywhere">
          <MarkedText parts={readMarks(message.message)} renderText={renderText} />
        </span>
      )}
      {message.template && <TemplateEnd template={message.template} />}
    </>
  );
}

function TemplateEnd({ template: { footer, buttons } }: { template: NonNullable<Message['template']> }) {
  return (
    <>
      {footer !== null && <span className="mt-1 block text-12 text-chat-meta wrap-anywhere">{footer}</span>}
      {buttons.length > 0 && (
        <ul aria-label="Buttons" className="mt-1.5 flex flex-wrap gap-1">
          {buttons.map((label, index) => (
            // Two buttons may have the same words.
            <li key={index} className="rounded-sm border border-current/20 px-2 py-0.5 text-12 font-medium">
              {label}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Carried({ message }: { message: Message }) {
  const { type, location, contacts, protocol_type: protocolType } = message;
  if (location !== null) return <Place location={location} />;
  if (contacts !== null) return <ContactCards contacts={contacts} />;
  if (type === 'waiting') {
    return (
      <ContentBox icon={<Hourglass />} title={kindWord(type)}>
        It cannot be read here yet. Open it on the handset.
      </ContentBox>
    );
  }
  if (type === 'number_request') {
    return (
      <ContentBox icon={<Phone />} title={kindWord(type)}>
        WhatsApp asks them whether to show it.
      </ContentBox>
    );
  }
  if (type === 'unsupported') {
    return (
      <ContentBox icon={<CircleQuestionMark />} title={kindWord(type)}>
        {protocolType !== null && `${protocolType}. `}Open it on the handset.
      </ContentBox>
    );
  }
  return message.media === null ? null : <FileContent message={{ ...message, type: fileTypeOf(message) }} />;
}

/** The header of a template carries a picture, a film or a document. */
function fileTypeOf({ type, media }: Message): Message['type'] {
  if (type !== 'template') return type;
  const kind = media?.mime_type?.split('/')[0];
  return kind === 'image' || kind === 'video' ? kind : 'document';
}

function Place({ location: { latitude, longitude, name, address } }: { location: NonNullable<Message['location']> }) {
  const query = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) });
  return (
    <ContentBox icon={<MapPin />} title={name ?? 'Place'}>
      {address !== null && address !== '' && <span className="block">{address}</span>}
      <a
        href={`https://www.openstreetmap.org/?${query}#map=16/${latitude}/${longitude}`}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 font-medium text-chat-ink underline"
      >
        {latitude.toFixed(5)}, {longitude.toFixed(5)}
        <ExternalLink aria-hidden="true" className="size-3" />
        <span className="sr-only">(map, opens another tab)</span>
      </a>
    </ContentBox>
  );
}
