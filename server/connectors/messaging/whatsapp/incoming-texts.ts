import {
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  normalizeMessageContent,
  proto,
  unpadRandomMax16,
} from 'baileys';
import type { BinaryNode, WAMessage } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import type { IncomingMessage } from '../port.ts';

/** Who an account is, to tell its own messages from others'. */
export type OwnAddresses = { id: string | undefined; lid: string | undefined };

type Envelope = {
  networkId: string;
  sender: string;
  senderAlternative: string | undefined;
  at: Date;
  senderName?: string;
};

export type IncomingTextsOptions = {
  clock: Clock;
  ownAddresses(): OwnAddresses;
  findNumberOfLid(lid: string): Promise<string | null>;
};

/**
 * A text out of a decrypted message of one person, or undefined for everything else: groups, own devices, the
 * handset's housekeeping, pictures.
 */
export async function readStanza(
  options: IncomingTextsOptions,
  stanza: BinaryNode,
  plaintext: Uint8Array,
): Promise<IncomingMessage | undefined> {
  const { id, from, t, notify, category, participant, recipient } = stanza.attrs;
  if (!id || !from || participant || recipient || category === 'peer') return undefined;
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  if (message.deviceSentMessage) return undefined;
  return readText(options, message, {
    networkId: id,
    sender: from,
    senderAlternative: stanza.attrs.sender_pn,
    at: secondsToDate(Number(t), options.clock),
    ...(notify ? { senderName: notify } : {}),
  });
}

/** The same for a message that came another way, such as one the handset had to be asked for. */
export async function readUpsert(
  options: IncomingTextsOptions,
  { key, message, messageTimestamp, pushName }: WAMessage,
): Promise<IncomingMessage | undefined> {
  if (!key.id || !key.remoteJid || key.fromMe || key.participant) return undefined;
  return readText(options, message, {
    networkId: key.id,
    sender: key.remoteJid,
    senderAlternative: key.remoteJidAlt,
    at: secondsToDate(Number(messageTimestamp), options.clock),
    ...(pushName ? { senderName: pushName } : {}),
  });
}

async function readText(
  options: IncomingTextsOptions,
  message: proto.IMessage | null | undefined,
  { sender, senderAlternative, ...envelope }: Envelope,
): Promise<IncomingMessage | undefined> {
  if (!isPnUser(sender) && !isLidUser(sender)) return undefined;
  if (isOwn(options.ownAddresses(), sender)) return undefined;
  const content = normalizeMessageContent(message);
  const text = content?.conversation ?? content?.extendedTextMessage?.text;
  if (!text) return undefined;
  const number = await findNumber(options, sender, senderAlternative);
  if (number === undefined) throw new UnknownSenderError();
  return { ...envelope, from: number, text };
}

/** A LID hides the sender's number, and nothing tells it. */
export class UnknownSenderError extends Error {
  constructor() {
    super('The phone number of a sender is not known');
    this.name = 'UnknownSenderError';
  }
}

async function findNumber(
  options: IncomingTextsOptions,
  sender: string,
  alternative: string | undefined,
): Promise<string | undefined> {
  if (isPnUser(sender)) return jidDecode(sender)?.user;
  if (alternative && isPnUser(alternative)) return jidDecode(alternative)?.user;
  const found = await options.findNumberOfLid(sender);
  return found ? jidDecode(found)?.user : undefined;
}

function isOwn(own: OwnAddresses, sender: string): boolean {
  return [own.id, own.lid].some((address) => address && jidNormalizedUser(address) === jidNormalizedUser(sender));
}

export function secondsToDate(seconds: number, clock: Clock): Date {
  return Number.isFinite(seconds) && seconds > 0 ? new Date(seconds * 1000) : clock.now();
}
