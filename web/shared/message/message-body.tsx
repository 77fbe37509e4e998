import {
  Ban,
  CircleQuestionMark,
  ContactRound,
  ExternalLink,
  FileText,
  Image,
  MapPin,
  Mic,
  Music,
  Sticker,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { MarkedText } from '#web/shared/ui/chat-bubble.tsx';
import { readMarks } from '#web/shared/ui/message-marks.ts';
import { formatBytes } from './format-bytes.ts';
import { kindWord } from './message-summary.ts';

/** What a bubble holds: what the message carries, then its text. */
export function MessageBody({ message }: { message: Message }) {
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
      <Carried message={message} />
      {message.message !== '' && (
        <span className="block whitespace-pre-wrap [unicode-bidi:plaintext] wrap-anywhere">
          <MarkedText parts={readMarks(message.message)} />
        </span>
      )}
    </>
  );
}

function Carried({ message }: { message: Message }) {
  const { type, location, contacts, protocol_type: protocolType } = message;
  if (location !== null) return <Place location={location} />;
  if (contacts !== null) return <ContactCards contacts={contacts} />;
  if (type === 'unsupported') {
    return (
      <Box icon={<CircleQuestionMark />} title={kindWord(type)}>
        {protocolType !== null && `${protocolType}. `}Open it on the handset.
      </Box>
    );
  }
  return message.media === null ? null : <File message={message} media={message.media} />;
}

const fileIcons = {
  image: Image,
  video: Video,
  audio: Music,
  voice: Mic,
  document: FileText,
  sticker: Sticker,
} as const;

const states = {
  pending: 'Is being fetched',
  stored: undefined,
  failed: 'Could not be fetched',
  gone: 'No longer kept',
} as const;

function File({ message: { type }, media }: { message: Message; media: NonNullable<Message['media']> }) {
  const Icon = fileIcons[type as keyof typeof fileIcons] ?? FileText;
  const size = media.size === null ? undefined : formatBytes(media.size);
  const facts = [media.file_name === null ? undefined : kindWord(type), size, states[media.state]].filter(Boolean);
  return (
    <Box icon={<Icon />} title={media.file_name ?? kindWord(type)}>
      {facts.join(' · ')}
    </Box>
  );
}

function Place({ location: { latitude, longitude, name, address } }: { location: NonNullable<Message['location']> }) {
  const query = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) });
  return (
    <Box icon={<MapPin />} title={name ?? 'Place'}>
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
    </Box>
  );
}

function ContactCards({ contacts }: { contacts: NonNullable<Message['contacts']> }) {
  return contacts.map(({ name, phones }, index) => (
    <Box key={index} icon={<ContactRound />} title={name}>
      {phones.map(({ phone, type }) => (
        <span key={phone} className="block tabular-nums">
          {phone}
          {type !== null && <span className="text-chat-meta"> {type}</span>}
        </span>
      ))}
    </Box>
  ));
}

function Box({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <span className="mb-1 flex min-w-48 gap-2.5 rounded-small bg-black/5 px-2.5 py-2 text-13 dark:bg-white/8">
      <span aria-hidden="true" className="mt-0.5 shrink-0 text-chat-meta [&>svg]:size-4.5">
        {icon}
      </span>
      <span className="min-w-0">
        <b className="block font-medium wrap-anywhere">{title}</b>
        <span className="block text-chat-meta wrap-anywhere">{children}</span>
      </span>
    </span>
  );
}
