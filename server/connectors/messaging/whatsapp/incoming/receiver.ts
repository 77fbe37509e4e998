import { encodeWAMessage } from 'baileys';
import type { BinaryNode, proto } from 'baileys';
import { UnstorableError } from '../../port.ts';
import type { IncomingMessage } from '../../port.ts';
import { BoundedMap } from '../bounded-map.ts';
import { takeHistory } from '../history/take-history.ts';
import type { KeyStore } from '../key-store.ts';
import { ciphertextsOf } from '../raw-frames.ts';
import { wasDecryptedBefore } from '../signal-sessions.ts';
import { isOwn, readStanza, readWaiting } from './read-message.ts';
import type { ReadingOptions } from './read-message.ts';

/** Two of a message whose sender's number and LID are known. */
const maxRemembered = 10_000;
/** A message that brings nothing by itself: it is confirmed as any other, and nothing is made of it. */
const nothingNew = encodeWAMessage({ albumMessage: {} });

type ReceiverOptions = {
  keys: KeyStore;
  reading: ReadingOptions;
  handlers: {
    onIncoming(message: IncomingMessage): Promise<void>;
    onUnusable(reason: string): void;
  };
  /** Resolves once the history is noted; it is read without holding up other messages. */
  onHistory(shared: proto.Message.IHistorySyncNotification): Promise<void>;
};

/** Stores what comes in, each message once, before the keys that it was decrypted with. */
export type Receiver = {
  /** Rejects where the message could not be stored now, and must come again. */
  receive(read: Promise<IncomingMessage | undefined>): Promise<void>;
  /** The parts of this stanza may be decrypted next. */
  follow(stanza: BinaryNode): void;
  aroundDecryption(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

export function createReceiver({ keys, reading, handlers, onHistory }: ReceiverOptions): Receiver {
  const stanzaOf = new WeakMap<Uint8Array, BinaryNode>();
  const received = new BoundedMap<true>(maxRemembered);

  function follow(stanza: BinaryNode): void {
    for (const ciphertext of ciphertextsOf(stanza)) stanzaOf.set(ciphertext, stanza);
  }

  /** A message that cannot be read is dropped; a message that cannot be stored must come again. */
  async function receive(read: Promise<IncomingMessage | undefined>): Promise<void> {
    const message = await read.catch((error: unknown) => {
      handlers.onUnusable(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (!message) return;
    // The number behind a LID may be learnt between the two times that a message comes by here.
    const side = message.isFromHandset ? 'to' : 'from';
    const chats = [message.peer.number, message.peer.lid].filter((chat) => chat !== undefined);
    const places = chats.map((chat) => `${side} ${chat}/${message.networkId}`);
    if (places.some((place) => received.has(place))) return;
    try {
      await handlers.onIncoming(message);
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      handlers.onUnusable(error.message);
    }
    if (message.content.type === 'waiting') return;
    for (const place of places) received.set(place, true);
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
      if (stanza) {
        await receive(readStanza(reading, stanza, plaintext)).catch((error: unknown) => {
          // The sender's next message must find the keys as if this one never came: WhatsApp sends it again.
          keys.discard(error);
          throw error;
        });
      }
      return plaintext;
    } finally {
      release();
    }
  }

  return { receive, follow, aroundDecryption };
}
