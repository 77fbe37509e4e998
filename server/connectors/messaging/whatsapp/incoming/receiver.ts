import { encodeWAMessage } from 'baileys';
import type { BinaryNode, proto } from 'baileys';
import { isTransient } from '#server/platform/db/errors.ts';
import { StaleLeaseError, UnstorableError } from '../../port.ts';
import type { IncomingMessage } from '../../port.ts';
import { BoundedMap } from '../bounded-map.ts';
import { takeHistory } from '../history/take-history.ts';
import type { KeyStore } from '../key-store.ts';
import { ciphertextsOf } from '../raw-frames.ts';
import { wasDecryptedBefore } from '../signal-sessions.ts';
import { readAnswers } from './missing-messages.ts';
import type { MissingMessages } from './missing-messages.ts';
import { isOwn, readStanza, readUpsert, readWaiting } from './read-message.ts';
import type { ReadingOptions } from './read-message.ts';

/** Two of a message whose sender's number and LID are known. */
const maxRemembered = 10_000;
/** Messages that are read while those before them are stored. */
const maxUnstored = 100;
/** A message that brings nothing by itself: it is confirmed as any other, and nothing is made of it. */
const nothingNew = encodeWAMessage({ albumMessage: {} });

/** The store is at fault, and not the message. */
const isOurs = (error: unknown): boolean => error instanceof StaleLeaseError || isTransient(error);

type ReceiverOptions = {
  keys: KeyStore;
  reading: ReadingOptions;
  missing: Pick<MissingMessages, 'add' | 'found'>;
  handlers: {
    onIncoming(message: IncomingMessage): Promise<void>;
    onUnusable(reason: string): void;
  };
  /** Resolves once the history is noted; it is read without holding up other messages. */
  onHistory(shared: proto.Message.IHistorySyncNotification): Promise<void>;
  /** Confirmations from now on wait for this. */
  onUnstored(stored: Promise<void>): void;
};

/**
 * Stores what comes in, each message once, before the keys that it was decrypted with. The next messages are decrypted
 * meanwhile, so that those which come together are stored together.
 */
export type Receiver = {
  /** Rejects where the message could not be stored now, and must come again. */
  receive(read: Promise<IncomingMessage | undefined>): Promise<void>;
  /** The parts of this stanza may be decrypted next. */
  follow(stanza: BinaryNode): void;
  aroundDecryption(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

export function createReceiver({ keys, reading, missing, handlers, onHistory, onUnstored }: ReceiverOptions): Receiver {
  const stanzaOf = new WeakMap<Uint8Array, BinaryNode>();
  const received = new BoundedMap<Promise<void>>(maxRemembered);
  const unstored: Promise<void>[] = [];
  /** Once a message could not be stored, the connection is given up: those behind it come again with it. */
  let failed: Promise<void> | undefined;

  function follow(stanza: BinaryNode): void {
    for (const ciphertext of ciphertextsOf(stanza)) stanzaOf.set(ciphertext, stanza);
  }

  /** A message that can never be read is dropped; a message that cannot be read or stored now must come again. */
  const receive = async (read: Promise<IncomingMessage | undefined>): Promise<void> => (await handOver(read)).stored;

  /** Messages are handed over in the order in which they can be read. */
  async function handOver(read: Promise<IncomingMessage | undefined>): Promise<{ stored: Promise<void> }> {
    const message = await read.catch((error: unknown) => {
      if (isOurs(error)) throw giveUp(error);
      handlers.onUnusable(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (!message) return { stored: Promise.resolve() };
    // The number behind a LID may be learnt between the two times that a message comes by here.
    const side = message.isFromHandset ? 'to' : 'from';
    const chats = [message.peer.number, message.peer.lid].filter((chat) => chat !== undefined);
    const places = chats.map((chat) => `${side} ${chat}/${message.networkId}`);
    const before = places.map((place) => received.get(place)).find((stored) => stored !== undefined);
    if (before) return { stored: before };
    if (failed) return { stored: failed };
    const stored = store(message);
    stored.catch(() => void (failed ??= stored));
    if (message.content.type === 'waiting') return { stored: keepMissing(message, stored) };
    for (const place of places) received.set(place, stored);
    void missing.found(message.networkId).catch(() => undefined);
    return { stored };
  }

  async function keepMissing(message: IncomingMessage, stored: Promise<void>): Promise<void> {
    await stored;
    await missing.add(message);
  }

  /** Messages that come behind do not overtake it. */
  function giveUp(error: unknown): unknown {
    failed ??= Promise.reject(error);
    failed.catch(() => undefined);
    return error;
  }

  async function store(message: IncomingMessage): Promise<void> {
    try {
      await handlers.onIncoming(message);
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      handlers.onUnusable(error.message);
    }
  }

  /**
   * Where it cannot be stored, the sender's next message must find the keys as if this one never came: WhatsApp sends it
   * again, as it is not confirmed either.
   */
  async function take(read: Promise<IncomingMessage | undefined>): Promise<void> {
    const { stored } = await handOver(read).catch((error: unknown) => {
      keys.discard(error);
      throw error;
    });
    keys.storeAfter(stored);
    onUnstored(stored);
    unstored.push(stored);
  }

  /** Messages between the account's own devices. */
  const isFromHandset = ({ attrs }: BinaryNode) =>
    attrs.category === 'peer' && isOwn(reading.ownAddresses(), attrs.from ?? '');

  async function aroundDecryption(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const release = keys.hold();
    try {
      const stanza = stanzaOf.get(ciphertext);
      const plaintext = await decrypt().catch(async (error: unknown) => {
        if (wasDecryptedBefore(error)) return nothingNew;
        if (isOurs(error)) {
          keys.discard(error);
          throw giveUp(error);
        }
        // Baileys asks for it again; whether it ever comes is up to its sender's phone.
        if (stanza) await receive(readWaiting(reading, stanza)).catch((fault: unknown) => keys.discard(fault));
        throw error;
      });
      const history = stanza && isFromHandset(stanza) ? takeHistory(plaintext) : undefined;
      if (history) {
        await onHistory(history.shared).catch((error: unknown) => {
          // As for a message: the handset's comes again.
          keys.discard(error);
          throw error;
        });
        return history.rest;
      }
      if (stanza) await take(readStanza(reading, stanza, plaintext));
      if (stanza && isFromHandset(stanza))
        for (const answer of readAnswers(plaintext)) await take(readUpsert(reading, answer));
      return plaintext;
    } finally {
      release();
      if (unstored.length > maxUnstored) await unstored.shift()?.catch(() => undefined);
    }
  }

  return { receive, follow, aroundDecryption };
}
