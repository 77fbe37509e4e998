import { setImmediate as turn } from 'node:timers/promises';
import { proto } from 'baileys';
import { cleanName } from '../../network-values.ts';
import type { EarlierMessage, HistoryNews, IncomingContent } from '../../port.ts';
import { readUpsert } from '../incoming/read-message.ts';
import type { ReadingOptions } from '../incoming/read-message.ts';
import type { RawChat } from './findings.ts';

/** So many are stored at a time; others are let in between. */
const sliceSize = 100;

const delivered: number = proto.WebMessageInfo.Status.DELIVERY_ACK;
const read: number = proto.WebMessageInfo.Status.READ;

/** Changes of other messages have no record of their own; the handset shares messages as they are now. */
const unrecorded: readonly IncomingContent['type'][] = [
  'reaction',
  'edit',
  'revocation',
  'vote',
  'sealed',
  'number_shared',
  'waiting',
];

type Part = Extract<HistoryNews, { kind: 'chat' }>;

/** The messages of a conversation that the handset shares, newest first, in parts; without those that cannot be read. */
export async function* readChat(reading: ReadingOptions, chat: RawChat): AsyncGenerator<Part> {
  for (let at = 0; at < chat.messages.length; at += sliceSize) {
    const messages: EarlierMessage[] = [];
    for (const bytes of chat.messages.slice(at, at + sliceSize)) {
      const message = await readOne(reading, chat, bytes).catch(() => undefined);
      if (message) messages.push(message);
    }
    const [latest] = messages;
    if (latest) {
      const pushName = messages.find(({ senderName }) => senderName !== undefined)?.senderName;
      yield { kind: 'chat', peer: latest.peer, name: pushName ?? cleanName(chat.name), unread: chat.unread, messages };
    }
    await turn();
  }
}

async function readOne(
  reading: ReadingOptions,
  { jid, other }: RawChat,
  bytes: Uint8Array,
): Promise<EarlierMessage | undefined> {
  const { key, message, status, messageSecret, messageTimestamp, pushName } = proto.WebMessageInfo.decode(bytes);
  if (!key || !message) return undefined;
  if (messageSecret) message.messageContextInfo = { ...message.messageContextInfo, messageSecret };
  const { id, fromMe } = key;
  const place = {
    id: id ?? null,
    fromMe: fromMe ?? false,
    remoteJid: jid,
    ...(other !== undefined && { remoteJidAlt: other }),
  };
  const earlier = await readUpsert(reading, {
    key: place,
    message,
    messageTimestamp: messageTimestamp ?? null,
    pushName: pushName ?? null,
  });
  if (!earlier || unrecorded.includes(earlier.content.type)) return undefined;
  return { ...earlier, status: statusOf(status ?? 0) };
}

const statusOf = (status: number): EarlierMessage['status'] => {
  if (status >= read) return 'read';
  return status === delivered ? 'delivered' : 'sent';
};
