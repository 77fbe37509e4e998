import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { jidNormalizedUser, proto } from 'baileys';
import { isStorableId } from '../../network-values.ts';
import type { IncomingChange, SealedChange } from '../../port.ts';
import { readEdit } from './read-content.ts';

const { MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType;
/** The purpose that a change's key is derived for, as WhatsApp Web names it (`WAUseCaseSecret`). */
const uses = { edit: 'Message Edit', vote: 'Poll Vote' } as const;
const secretLength = 32;
const tagLength = 16;
const maxSealedBytes = 128 * 1024;
const maxOptions = 12;

/** The sender of a change and the other side of its conversation, each by all known addresses. */
export type Sides = { isFromHandset: boolean; own: readonly string[]; peer: readonly string[] };

type Parts = {
  use: keyof typeof uses;
  key: proto.IMessageKey | null | undefined;
  payload: Uint8Array | null | undefined;
  iv: Uint8Array | null | undefined;
};

function findParts({ secretEncryptedMessage: edit, pollUpdateMessage: vote }: proto.IMessage): Parts | undefined {
  if (edit?.secretEncType === MESSAGE_EDIT)
    return { use: 'edit', key: edit.targetMessageKey, payload: edit.encPayload, iv: edit.encIv };
  if (vote?.vote)
    return { use: 'vote', key: vote.pollCreationMessageKey, payload: vote.vote.encPayload, iv: vote.vote.encIv };
  return undefined;
}

/** A change that is encrypted with the secret of the message it names: an edit by its author, or a vote in a poll. */
export function readSealed(content: proto.IMessage, { isFromHandset, own, peer }: Sides): SealedChange | undefined {
  const parts = findParts(content);
  const target = parts?.key?.id;
  if (!parts?.payload || !parts.iv || !target || !isStorableId(target)) return undefined;
  if (parts.payload.length > maxSealedBytes || parts.payload.length <= tagLength) return undefined;
  const senders = isFromHandset ? own : peer;
  // The key of a poll says whether its sender made it.
  const isBySender = parts.use === 'edit' || parts.key?.fromMe === true;
  const isOfOwn = isBySender === isFromHandset;
  return {
    type: 'sealed',
    target,
    isOfOwn,
    ownSecret: undefined,
    sealed: {
      use: parts.use,
      payload: Buffer.from(parts.payload).toString('base64'),
      iv: Buffer.from(parts.iv).toString('base64'),
      authors: (isOfOwn ? own : peer).join(' '),
      senders: senders.join(' '),
    },
  };
}

/**
 * The key is HKDF-SHA256 of the message's secret, whose info is the message's id, its author, the sender of the change and
 * the use; only votes carry associated data. Either side may be named by the number or by the LID, so all are tried
 * (tulir/whatsmeow `msgsecret.go`; WhiskeySockets/Baileys#2547, #2690).
 */
export function openSealed(change: SealedChange, secret: string): Exclude<IncomingChange, SealedChange> | undefined {
  const { use, payload = '', iv = '', authors = '', senders = '' } = change.sealed;
  const key = Buffer.from(secret, 'base64');
  if (key.length !== secretLength || (use !== 'edit' && use !== 'vote')) return undefined;
  for (const author of authors.split(' ')) {
    for (const sender of use === 'edit' ? [author] : senders.split(' ')) {
      const info = Buffer.from(`${change.target}${author}${sender}${uses[use]}`);
      const plain = decrypt({
        key: Buffer.from(hkdfSync('sha256', key, Buffer.alloc(32), info, 32)),
        iv: Buffer.from(iv, 'base64'),
        sealed: Buffer.from(payload, 'base64'),
        about: use === 'vote' ? `${change.target}\u0000${sender}` : '',
      });
      if (plain)
        return use === 'edit'
          ? decoded(() => readEdit(proto.Message.decode(plain), change.target))
          : readVote(change, plain);
    }
  }
  return undefined;
}

function decrypt({ key, iv, sealed, about }: { key: Buffer; iv: Buffer; sealed: Buffer; about: string }) {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, iv);
    cipher.setAAD(Buffer.from(about));
    cipher.setAuthTag(sealed.subarray(-tagLength));
    return Buffer.concat([cipher.update(sealed.subarray(0, -tagLength)), cipher.final()]);
  } catch {
    return undefined;
  }
}

function readVote({ target }: SealedChange, plain: Buffer): Exclude<IncomingChange, SealedChange> | undefined {
  const vote = decoded(() => proto.Message.PollVoteMessage.decode(plain));
  const hashes = vote?.selectedOptions?.slice(0, maxOptions).map((hash) => Buffer.from(hash).toString('hex'));
  return hashes && { type: 'vote', target, hashes };
}

/** Undefined for bytes that are no message of the protocol. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/**
 * The secret of a message that goes out from here: the same whenever it is asked for, so that nothing is kept for each
 * message. `key` is the phone's own.
 */
export function secretOfOwn(key: Buffer, networkId: string): Buffer {
  return createHmac('sha256', key).update(networkId).digest();
}

/** Without the device, as both sides name each other. */
export const addressesOf = (addresses: readonly (string | null | undefined)[]): string[] =>
  [...new Set(addresses.flatMap((address) => (address ? [jidNormalizedUser(address)] : [])))].filter(Boolean);
