import type { proto } from 'baileys';
import type { MessageLocation, SharedContact } from '#contracts/message-content.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { Quote, SentMessage } from '../port.ts';
import { mediaPart } from './media/media-part.ts';
import type { MediaReference } from './media/media-uploads.ts';

/** The conversation that a message goes into. */
export type Chat = {
  jid: string;
  /** The account's own address of the same kind. */
  own: string;
  /** After how many seconds it loses its messages. */
  expiration: number | undefined;
  /** Where the message's file is, if it carries one. */
  file?: MediaReference | undefined;
  /** With which later changes to it are sealed. */
  secret: Uint8Array;
};

/** Builds the protocol's message; all but reactions carry a secret. */
export function toProtocol(message: Omit<SentMessage, 'to'>, chat: Chat): proto.IMessage {
  const carried = partsOf(message, chat);
  if (message.content.type === 'reaction') return carried;
  return { ...carried, messageContextInfo: { messageSecret: chat.secret } };
}

function partsOf({ content, quote }: Omit<SentMessage, 'to'>, chat: Chat): proto.IMessage {
  const context = contextOf(quote, chat);
  switch (content.type) {
    case 'text':
      return { extendedTextMessage: { text: content.text, ...context } };
    case 'location':
      return { locationMessage: { ...placeOf(content.location), ...context } };
    case 'contact':
      return contactsOf(content.contacts, context);
    case 'reaction':
      if (!quote) throw new Error('A reaction names no message');
      return { reactionMessage: { key: keyOf(quote, chat), text: content.emoji, senderTimestampMs: Date.now() } };
    case 'image':
    case 'video':
    case 'audio':
    case 'voice':
    case 'document':
    case 'sticker':
      if (!chat.file) throw new Error('Where WhatsApp has the file of a message is not known');
      return mediaPart(content, chat.file, context);
    default:
      return assertNever(content);
  }
}

type Context = { contextInfo?: proto.IContextInfo };

function contextOf(quote: Quote | null, { jid, own, expiration }: Chat): Context {
  const quoted = quote && {
    stanzaId: quote.network_id,
    participant: quote.is_own ? own : jid,
    quotedMessage: { conversation: quote.text },
  };
  return quoted || expiration ? { contextInfo: { ...quoted, ...(expiration && { expiration }) } } : {};
}

const keyOf = (quote: Quote, { jid }: Chat): proto.IMessageKey => ({
  remoteJid: jid,
  fromMe: quote.is_own,
  id: quote.network_id,
});

const placeOf = ({ latitude, longitude, name, address }: MessageLocation): proto.Message.ILocationMessage => ({
  degreesLatitude: latitude,
  degreesLongitude: longitude,
  ...(name !== null && { name }),
  ...(address !== null && { address }),
});

function contactsOf(contacts: readonly SharedContact[], context: Context): proto.IMessage {
  const cards = contacts.map(({ name, phones }) => ({ displayName: name, vcard: vcardOf({ name, phones }) }));
  if (cards.length === 1) return { contactMessage: { ...cards[0], ...context } };
  const displayName = `${cards.length} contacts`;
  return { contactsArrayMessage: { displayName, contacts: cards, ...context } };
}

/** RFC 6350 §3.4, in the version that handsets write; `waid` makes the number one that can be written to. */
function vcardOf({ name, phones }: SharedContact): string {
  const text = name.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r?\n/g, ' ');
  const lines = phones.map(
    ({ phone, type }) => `TEL;type=${(type ?? 'cell').toUpperCase()};waid=${phone.replaceAll(/\D/g, '')}:${phone}`,
  );
  return ['BEGIN:VCARD', 'VERSION:3.0', `N:;${text};;;`, `FN:${text}`, ...lines, 'END:VCARD'].join('\n');
}
