import { proto } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { MessageLocation, MessagePoll, SendingManner, SharedContact } from '#contracts/message-content.ts';
import { isChange } from '#contracts/message-content.ts';
import { assertNever } from '#server/platform/errors.ts';
import { lidOf } from '../port.ts';
import type { LinkPreview, Quote, SentMessage } from '../port.ts';
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
  /** How its link is shown. */
  preview?: LinkPreview | undefined;
  /** With which later changes to it are sealed. */
  secret: Uint8Array;
};

/** Builds the protocol's message; all but changes of other messages carry a secret. */
export function toProtocol(message: Omit<SentMessage, 'to'>, chat: Chat): proto.IMessage {
  const carried = partsOf(message, chat);
  if (isChange(message.content.type)) return carried;
  return { ...carried, messageContextInfo: { messageSecret: chat.secret } };
}

function partsOf({ content, quote, manner = {} }: Omit<SentMessage, 'to'>, chat: Chat): proto.IMessage {
  const context = contextOf(quote, manner, chat);
  switch (content.type) {
    case 'text':
      return { extendedTextMessage: { text: content.text, ...previewOf(chat.preview), ...context } };
    case 'location':
      return { locationMessage: { ...placeOf(content.location), ...context } };
    case 'contact':
      return contactsOf(content.contacts, context);
    case 'reaction':
      if (!quote) throw new Error('A reaction names no message');
      return { reactionMessage: { key: keyOf(quote, chat), text: content.emoji, senderTimestampMs: Date.now() } };
    case 'poll':
      return pollOf(content.poll, context);
    case 'edit': {
      const mentioned = contextOf(null, manner, { ...chat, expiration: undefined });
      return changeOf(quote, chat, {
        type: MESSAGE_EDIT,
        editedMessage: { extendedTextMessage: { text: content.text, ...mentioned } },
      });
    }
    case 'deletion':
      return changeOf(quote, chat, { type: REVOKE });
    case 'number_request':
      return { requestPhoneNumberMessage: context };
    case 'template':
      throw new Error('A linked number has no templates');
    case 'image':
    case 'video':
    case 'audio':
    case 'voice':
    case 'document':
    case 'sticker':
      if (!chat.file) throw new Error('Where WhatsApp has the file of a message is not known');
      return mediaPart(content, chat.file, { context, playAs: manner.play_as });
    default:
      return assertNever(content);
  }
}

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;

function pollOf({ question, options, multiple }: Omit<MessagePoll, 'votes'>, context: Context): proto.IMessage {
  const poll = {
    name: question,
    options: options.map((optionName) => ({ optionName })),
    selectableOptionsCount: multiple ? 0 : 1,
    ...context,
  };
  // As handsets do: the third version is of polls with one answer.
  return multiple ? { pollCreationMessage: poll } : { pollCreationMessageV3: poll };
}

function changeOf(quote: Quote | null, chat: Chat, change: proto.Message.IProtocolMessage): proto.IMessage {
  if (!quote) throw new Error('A change names no message');
  return { protocolMessage: { key: keyOf(quote, chat), timestampMs: Date.now(), ...change } };
}

/**
 * The attributes and parts of a message's stanza: a server takes no change without `edit`, be it a reaction that is taken
 * back, and shows no poll without `meta`.
 */
export function stanzaParts({ content }: Pick<SentMessage, 'content'>): {
  attributes: Record<string, string>;
  nodes: BinaryNode[];
} {
  if (content.type === 'poll') return { attributes: {}, nodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }] };
  const edit =
    content.type === 'reaction' && content.emoji === '' ? '7' : { edit: '1', deletion: '7' }[content.type as string];
  return { attributes: edit === undefined ? {} : { edit }, nodes: [] };
}

type Context = { contextInfo?: proto.IContextInfo };

function contextOf(quote: Quote | null, manner: SendingManner, { jid, own, expiration }: Chat): Context {
  const { mentions = [], forwarded = false } = manner;
  const contextInfo: proto.IContextInfo = {
    ...(quote && { stanzaId: quote.network_id, participant: quote.is_own ? own : jid, quotedMessage: quotedOf(quote) }),
    ...(mentions.length > 0 && { mentionedJid: mentions.map(addressOfPerson) }),
    ...(forwarded && { isForwarded: true, forwardingScore: 1 }),
    ...(expiration && { expiration }),
  };
  return Object.keys(contextInfo).length > 0 ? { contextInfo } : {};
}

function addressOfPerson(person: string): string {
  const lid = lidOf(person);
  return lid === undefined ? `${person}@s.whatsapp.net` : `${lid}@lid`;
}

/** As much of a quoted message as its quotation shows: its kind and its words. */
function quotedOf({ type, text }: Quote): proto.IMessage {
  const caption = text === '' ? {} : { caption: text };
  switch (type) {
    case 'image':
      return { imageMessage: caption };
    case 'video':
      return { videoMessage: caption };
    case 'document':
      return { documentMessage: caption };
    case 'audio':
    case 'voice':
      return { audioMessage: { ptt: type === 'voice' } };
    case 'sticker':
      return { stickerMessage: {} };
    case 'location':
      return { locationMessage: {} };
    case 'contact':
      return { contactMessage: {} };
    case 'poll':
      return { pollCreationMessageV3: { name: text } };
    default:
      return { conversation: text };
  }
}

function previewOf(preview: LinkPreview | undefined): proto.Message.IExtendedTextMessage {
  if (!preview) return {};
  const { url, title, description, thumbnail } = preview;
  return {
    matchedText: url,
    title,
    previewType: proto.Message.ExtendedTextMessage.PreviewType.NONE,
    ...(description !== null && { description }),
    ...(thumbnail && { jpegThumbnail: thumbnail }),
  };
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
