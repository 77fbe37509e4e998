import {
  isJidBroadcast,
  isJidStatusBroadcast,
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
import { cleanName, dateOfSeconds, isStorableId } from '../../network-values.ts';
import type { Expiration } from '../chat-book.ts';
import type { IncomingContent, IncomingMessage, Peer } from '../../port.ts';
import { readContent, readReplyTo } from './read-content.ts';
import { readContext } from './read-context.ts';
import { readExpiration } from './read-expiration.ts';
import { addressesOf, readSealed, secretOfOwn } from './sealed-changes.ts';

/** The account's own addresses, which tell its own messages from others'. */
export type OwnAddresses = { id: string | undefined; lid: string | undefined };

export type ReadingOptions = {
  clock: Clock;
  ownAddresses(): OwnAddresses;
  findNumberOfLid(lid: string): Promise<string | null>;
  /** How long the messages of a conversation last. */
  onExpiration(peer: Peer, expiration: Expiration): Promise<void>;
  /** The key from which the secrets of the phone's own messages are derived. */
  secretKey(): Promise<Buffer>;
};

type Envelope = {
  networkId: string;
  /** The other side, and the same under its other address. */
  chat: string;
  alternative: string | undefined;
  isFromHandset: boolean;
  seconds: number;
  name: string | null | undefined;
  isBroadcast?: boolean;
  /** Opens later changes to it. */
  secret?: Uint8Array | null | undefined;
};

/** A message that can never become a record, however often it comes. */
class UnusableMessageError extends Error {}

/**
 * A message out of a decrypted stanza of one conversation, or undefined for everything else: groups, statuses, the
 * handset's housekeeping. A message from somebody's broadcast list belongs to the conversation with that person. A
 * message that the owner wrote on another device comes wrapped and names the conversation inside.
 */
export async function readStanza(
  options: ReadingOptions,
  { attrs }: BinaryNode,
  plaintext: Uint8Array,
): Promise<IncomingMessage | undefined> {
  const { id, from, t, notify, category, participant } = attrs;
  if (!id || !from || category === 'peer') return undefined;
  const isBroadcast = isJidBroadcast(from) && !isJidStatusBroadcast(from);
  if (participant && !isBroadcast) return undefined;
  const decoded = proto.Message.decode(unpadRandomMax16(plaintext));
  if (isBroadcast) {
    // Messages that the owner sends to a list belong to no conversation.
    if (!participant || isOwn(options.ownAddresses(), participant)) return undefined;
    const alternative = attrs.participant_pn ?? attrs.participant_lid ?? attrs.sender_pn ?? attrs.sender_lid;
    const list = { networkId: id, seconds: Number(t), isFromHandset: false, isBroadcast, name: notify };
    return toMessage(options, decoded, { ...list, chat: participant, alternative });
  }
  const wrapped = decoded.deviceSentMessage;
  const isFromHandset = isOwn(options.ownAddresses(), from);
  if (isFromHandset && !wrapped?.message) return undefined;
  const envelope = { networkId: id, seconds: Number(t), isFromHandset };
  if (!isFromHandset) {
    const alternative = attrs.sender_pn ?? attrs.sender_lid;
    return toMessage(options, decoded, { ...envelope, chat: from, alternative, name: notify });
  }
  return toMessage(options, wrapped?.message ?? {}, {
    ...envelope,
    chat: attrs.recipient ?? wrapped?.destinationJid ?? '',
    alternative: attrs.recipient_pn ?? attrs.peer_recipient_pn ?? attrs.recipient_lid ?? attrs.peer_recipient_lid,
    name: undefined,
    secret: decoded.messageContextInfo?.messageSecret,
  });
}

/** The same for a message that came another way, such as one the handset had to be asked for. */
export async function readUpsert(
  options: ReadingOptions,
  { key, message, messageTimestamp, pushName }: WAMessage,
): Promise<IncomingMessage | undefined> {
  if (!message || !key.id || !key.remoteJid || key.participant) return undefined;
  return toMessage(options, message, {
    networkId: key.id,
    chat: key.remoteJid,
    alternative: key.remoteJidAlt,
    isFromHandset: key.fromMe ?? false,
    seconds: Number(messageTimestamp),
    name: key.fromMe ? undefined : pushName,
  });
}

/** Reads a message that the server holds back from linked devices, such as a picture to be seen once. */
export async function readUnavailable(
  options: ReadingOptions,
  { attrs }: BinaryNode,
  kind: string,
): Promise<IncomingMessage | undefined> {
  const { id, from, t, notify, participant, recipient } = attrs;
  if (!id || !from || participant || recipient || isOwn(options.ownAddresses(), from)) return undefined;
  const content: IncomingContent = { type: 'unsupported', text: '', protocolType: kind };
  const alternative = attrs.sender_pn ?? attrs.sender_lid;
  const envelope = { networkId: id, chat: from, alternative, isFromHandset: false, seconds: Number(t), name: notify };
  return addressed(options, content, envelope);
}

/** A message of one conversation that cannot be read yet. */
export async function readWaiting(
  options: ReadingOptions,
  { attrs }: BinaryNode,
): Promise<IncomingMessage | undefined> {
  const { id, from, t, notify, category, participant, recipient } = attrs;
  if (!id || !from || category === 'peer') return undefined;
  const isBroadcast = isJidBroadcast(from) && !isJidStatusBroadcast(from);
  const isFromHandset = isOwn(options.ownAddresses(), from);
  if ((participant && !isBroadcast) || (isFromHandset && !recipient)) return undefined;
  const chat = (isFromHandset ? recipient : participant) ?? from;
  if (isOwn(options.ownAddresses(), chat)) return undefined;
  const others = isFromHandset
    ? [attrs.recipient_pn, attrs.peer_recipient_pn, attrs.recipient_lid, attrs.peer_recipient_lid]
    : [attrs.participant_pn, attrs.participant_lid, attrs.sender_pn, attrs.sender_lid];
  const alternative = others.find((address) => address !== undefined);
  const name = isFromHandset ? undefined : notify;
  const envelope = { networkId: id, chat, alternative, isFromHandset, seconds: Number(t), name };
  return addressed(options, { type: 'waiting', text: '' }, envelope);
}

/** Reads an event that is no message, such as a call. */
export function readEvent(
  options: ReadingOptions,
  envelope: Pick<Envelope, 'networkId' | 'chat' | 'alternative' | 'seconds'>,
  content: IncomingContent,
): Promise<IncomingMessage | undefined> {
  return addressed(options, content, { ...envelope, isFromHandset: false, name: undefined });
}

async function toMessage(
  options: ReadingOptions,
  message: proto.IMessage,
  envelope: Envelope,
): Promise<IncomingMessage | undefined> {
  const { chat, alternative, seconds } = envelope;
  const expiration = readExpiration(message, seconds);
  if (expiration && isPerson(chat)) await options.onExpiration(await findPeer(options, chat, alternative), expiration);
  const content = (await readChange(options, message, envelope)) ?? readContent(message);
  if (!content) return undefined;
  const replyTo = readReplyTo(message);
  const context = readContext(message, envelope.isBroadcast);
  const secret = message.messageContextInfo?.messageSecret ?? envelope.secret;
  return addressed(options, content, {
    ...envelope,
    ...(replyTo !== undefined && { replyTo }),
    ...(context && { context }),
    secret,
  });
}

/** A change that only the secret of the message it names opens. */
async function readChange(
  options: ReadingOptions,
  message: proto.IMessage,
  { chat, alternative, isFromHandset }: Envelope,
): Promise<IncomingContent | undefined> {
  const own = options.ownAddresses();
  const change = readSealed(normalizeMessageContent(message) ?? {}, {
    isFromHandset,
    own: addressesOf([own.id, own.lid]),
    peer: addressesOf([chat, alternative, isLidUser(chat) ? await options.findNumberOfLid(chat) : undefined]),
  });
  if (!change?.isOfOwn) return change;
  return { ...change, ownSecret: secretOfOwn(await options.secretKey(), change.target).toString('base64') };
}

const secretBytes = 32;

async function addressed(
  options: ReadingOptions,
  content: IncomingContent,
  envelope: Envelope & Pick<IncomingMessage, 'replyTo' | 'context'>,
): Promise<IncomingMessage | undefined> {
  const { networkId, chat, isFromHandset, seconds, replyTo, context, secret } = envelope;
  if (!isPerson(chat)) return undefined;
  if (!isStorableId(networkId)) throw new UnusableMessageError('Its id cannot be stored');
  const senderName = cleanName(envelope.name);
  return {
    networkId,
    peer: await findPeer(options, chat, envelope.alternative),
    isFromHandset,
    at: dateOfSeconds(seconds, options.clock.now()),
    ...(senderName !== undefined && { senderName }),
    ...(replyTo !== undefined && { replyTo }),
    ...(context && { context }),
    ...(secret?.length === secretBytes && { secret: Buffer.from(secret).toString('base64') }),
    content,
  };
}

const isPerson = (chat: string): boolean => Boolean(isPnUser(chat) || isLidUser(chat));

/** Both addresses where they are known: a LID hides the number, and sometimes nothing tells it. */
async function findPeer(options: ReadingOptions, chat: string, alternative: string | undefined): Promise<Peer> {
  const addresses = [chat, alternative ?? ''];
  const lid = userOf(addresses.find((address) => isLidUser(address)));
  const known = addresses.find((address) => isPnUser(address));
  const number = userOf(known ?? (lid && (await options.findNumberOfLid(`${lid}@lid`))));
  if (number !== undefined && /^\d{5,20}$/.test(number)) return { number, ...(lid !== undefined && { lid }) };
  if (lid !== undefined) return { lid };
  throw new UnusableMessageError('The address of its sender is no phone number');
}

function userOf(address: string | null | undefined): string | undefined {
  const user = address ? jidDecode(address)?.user : undefined;
  return user !== undefined && isStorableId(user) ? user : undefined;
}

export function isOwn(own: OwnAddresses, sender: string): boolean {
  return [own.id, own.lid].some((address) => address && jidNormalizedUser(address) === jidNormalizedUser(sender));
}
