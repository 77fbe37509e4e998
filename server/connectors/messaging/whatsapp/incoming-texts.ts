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
import { cleanName, cleanText, dateOfSeconds, isStorableId } from '../network-values.ts';
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
    at: dateOfSeconds(Number(t), options.clock.now()),
    ...nameOf(notify),
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
    at: dateOfSeconds(Number(messageTimestamp), options.clock.now()),
    ...nameOf(pushName),
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
  const text = cleanText(content?.conversation ?? content?.extendedTextMessage?.text ?? '');
  if (text === '') return undefined;
  if (!isStorableId(envelope.networkId)) throw new UnusableMessageError('Its id cannot be stored');
  const number = await findNumber(options, sender, senderAlternative);
  if (number === undefined) throw new UnusableMessageError('The phone number of its sender is not known');
  if (!/^\d{5,20}$/.test(number)) throw new UnusableMessageError('The address of its sender is no phone number');
  return { ...envelope, from: number, text };
}

/** A message that can never become a record, however often it comes. */
class UnusableMessageError extends Error {}

function nameOf(name: string | null | undefined): { senderName?: string } {
  const senderName = cleanName(name);
  return senderName === undefined ? {} : { senderName };
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
