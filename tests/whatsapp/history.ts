/** The history that a handset shares with a device it linked: inside the message, or as an encrypted file. */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { getMediaKeys, proto } from 'baileys';
import { nowSeconds, server } from './nodes.ts';

export type HistoryShape = {
  conversations: number;
  /** In each conversation, and how long each text is. */
  messages: number;
  textBytes: number;
};

const historyType = proto.HistorySync.HistorySyncType;
const firstNumber = 5_511_940_000_000;

/** The number, LID and token of the conversation with this index. */
export function historyContact(index: number): { number: string; lid: string; token: Buffer } {
  const number = String(firstNumber + index);
  return { number, lid: `1${number.padStart(15, '7')}`, token: createHash('sha256').update(number).digest() };
}

/** Files by their path, as the server that keeps media has them. */
export type Files = Map<string, Buffer>;

/** A message on the handset, newest first in its conversation; `at` in seconds since 1970. */
export type KeptMessage = {
  id: string;
  fromMe: boolean;
  at: number;
  message: proto.IMessage;
  status?: number;
  pushName?: string;
};

/** A conversation on the handset, under the number or the LID. */
export type KeptChat = {
  number: string;
  lid?: string;
  isByLid?: boolean;
  name?: string;
  unread?: number;
  messages: KeptMessage[];
};

/** Shares conversations as they are, in a piece of their own. */
export function shareChats(
  chats: readonly KeptChat[],
  progress: number,
  files: Files,
): Promise<proto.Message.IHistorySyncNotification> {
  const conversations = chats.map(({ number, lid, isByLid = false, name, unread, messages }) => {
    const jid = isByLid ? `${lid}@lid` : `${number}@${server}`;
    return {
      id: jid,
      ...(lid !== undefined && { lidJid: `${lid}@lid`, pnJid: `${number}@${server}` }),
      ...(name !== undefined && { name }),
      unreadCount: unread ?? 0,
      messages: messages.map(({ id, fromMe, at, message, status, pushName }) => ({
        message: {
          key: { remoteJid: jid, fromMe, id },
          message,
          messageTimestamp: at,
          ...(status !== undefined && { status }),
          ...(pushName !== undefined && { pushName }),
        },
      })),
    };
  });
  const history = proto.HistorySync.encode({ syncType: historyType.RECENT, progress, conversations }).finish();
  return putFile(history, progress, files);
}

/** Puts the history into a file as the handset does; answers what it tells the device of it. */
export function shareHistory(shape: HistoryShape, files: Files): Promise<proto.Message.IHistorySyncNotification> {
  return putFile(encodeHistory(shape), 100, files);
}

async function putFile(
  history: Uint8Array,
  progress: number,
  files: Files,
): Promise<proto.Message.IHistorySyncNotification> {
  const compressed = deflateSync(history, { level: 1 });
  const mediaKey = randomBytes(32);
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const encrypted = Buffer.concat([cipher.update(compressed), cipher.final()]);
  const mac = createHmac('sha256', macKey ?? '')
    .update(iv)
    .update(encrypted)
    .digest()
    .subarray(0, 10);
  const directPath = `/v/history/${randomBytes(8).toString('hex')}.enc`;
  files.set(directPath, Buffer.concat([encrypted, mac]));
  return { syncType: historyType.RECENT, chunkOrder: 1, progress, mediaKey, directPath };
}

function encodeHistory({ conversations, messages, textBytes }: HistoryShape): Uint8Array {
  const text = 'x'.repeat(textBytes);
  return proto.HistorySync.encode({
    syncType: historyType.RECENT,
    progress: 100,
    conversations: Array.from({ length: conversations }, (_, index) => {
      const { number, lid, token } = historyContact(index);
      const jid = `${number}@${server}`;
      return {
        id: jid,
        lidJid: `${lid}@lid`,
        tcToken: token,
        tcTokenTimestamp: nowSeconds(),
        ephemeralExpiration: 86_400,
        messages: Array.from({ length: messages }, (_message, place) => ({
          message: {
            key: { remoteJid: jid, fromMe: place % 2 === 0, id: `OLD${index}-${place}` },
            message: { conversation: text },
            messageTimestamp: nowSeconds(),
          },
        })),
      };
    }),
  }).finish();
}
