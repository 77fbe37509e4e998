import type { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import {
  Browsers,
  encodeWAMessage,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isLidUser,
  jidDecode,
  makeWASocket,
} from 'baileys';
import type { AuthenticationCreds, BinaryNode, CacheStore, ConnectionState, proto, WASocket, WAVersion } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { UnstorableError } from '../port.ts';
import type { CredentialStore, IncomingMessage, Receipt, SentMessage } from '../port.ts';
import { isRetryRequest, untilAnswerable } from './answerable-retry.ts';
import { createBaileysLogger } from './baileys-logger.ts';
import { BoundedMap } from './bounded-map.ts';
import { createChatBook } from './chat-book.ts';
import type { ChatBook } from './chat-book.ts';
import { serializeCredentials } from './credentials.ts';
import type { DeviceCache } from './device-cache.ts';
import { createFrameGate } from './frame-gate.ts';
import type { FrameGate } from './frame-gate.ts';
import { keepFindings } from './history/keep-findings.ts';
import { readHistory } from './history/read-history.ts';
import { takeHistory } from './history/take-history.ts';
import { isOwn, readStanza, readUnavailable, readUpsert } from './incoming/read-message.ts';
import type { ReadingOptions } from './incoming/read-message.ts';
import { readReceipts } from './incoming/receipts.ts';
import { createKeyStore } from './key-store.ts';
import { isSameNumber } from './same-number.ts';
import { UploadAgain } from './media/ask-again.ts';
import { MediaConnection } from './media/media-connection.ts';
import type { MediaUploads } from './media/media-uploads.ts';
import { createSignalRepository } from './signal-repository.ts';
import { wasDecryptedBefore } from './signal-sessions.ts';
import { ownAddress } from './send-through.ts';
import { toProtocol } from './to-protocol.ts';

const queryTimeoutMs = 20_000;
const maxRemembered = 5_000;
/** A message that brings nothing by itself: it is confirmed as any other, and nothing is made of it. */
const nothingNew = encodeWAMessage({ albumMessage: {} });
/** A peer that does not say goodbye gets no longer than this. */
const goodbyeMs = 1_000;

export type LiveSocketHandlers = {
  /** Every node from the server, before the library acts on it. */
  onNode(node: BinaryNode): void;
  onUpdate(update: Partial<ConnectionState>): void;
  onReceipts(receipts: Receipt[]): void | Promise<void>;
  onIncoming(message: IncomingMessage): Promise<void>;
  onUnusable(reason: string): void;
  /** The WebSocket was refused with this HTTP status. */
  onRefused(status: number): void;
  /** Keys or messages could not be stored; nothing more goes out on this connection. */
  onStoreFailure(error: unknown): void;
};

export type LiveSocketOptions = {
  url: string | undefined;
  /** Where media and histories are. */
  mediaOrigin: string;
  /** What leads through the phone's proxy. */
  agent: Agent | undefined;
  version: WAVersion;
  clock: Clock;
  logger: Logger;
  store: CredentialStore;
  credentials: AuthenticationCreds;
  devices: DeviceCache;
  /** How often each message was asked for again. */
  retryCounts: CacheStore;
  findSent(networkId: string): Promise<SentMessage | undefined>;
  uploads: MediaUploads;
  /** Cuts the connection off, whatever is yet to be stored. */
  abandoned: AbortSignal;
  handlers: LiveSocketHandlers;
};

/** One connection to WhatsApp with everything that lives and dies with it. */
export type LiveSocket = {
  readonly sock: WASocket;
  readonly credentials: AuthenticationCreds;
  readonly chats: ChatBook;
  readonly mediaConnection: MediaConnection;
  readonly uploadAgain: UploadAgain;
  /** The credentials were changed from here. */
  credentialsChanged(): void;
  /** Stores what is pending, lets the frames that waited for it go, and closes. Never rejects. */
  close(): Promise<void>;
};

/** Connects. What is sent waits until the keys it was encrypted with are stored; what came in is stored before its keys. */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { clock, credentials, handlers } = options;
  const logger = createBaileysLogger(options.logger);
  const stanzaOf = new WeakMap<Uint8Array, BinaryNode>();
  const received = new BoundedMap<true>(maxRemembered);
  const closing = new AbortController();
  const gate = createFrameGate((error) => handlers.onStoreFailure(error));
  const keys = createKeyStore({
    store: options.store,
    readCurrentCredentials: () => serializeCredentials(credentials),
    onPending: (stored) => gate.waitFor(stored),
    onUnusable: (reason) => handlers.onUnusable(reason),
  });
  const chats = createChatBook(keys);
  const reading: ReadingOptions = {
    clock,
    ownAddresses: () => ({ id: credentials.me?.id, lid: credentials.me?.lid }),
    findNumberOfLid: (lid) => sock.signalRepository.lidMapping.getPNForLID(lid),
    onExpiration: ({ number, lid }, expiration) => chats.rememberExpiration(number ?? lid, expiration),
  };

  /** What cannot be read as a text is nobody's message; what cannot be stored must come again. */
  async function receive(read: Promise<IncomingMessage | undefined>): Promise<void> {
    const message = await read.catch((error: unknown) => {
      handlers.onUnusable(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (!message) return;
    const key = `${message.peer.number ?? message.peer.lid}/${message.networkId}`;
    if (received.has(key)) return;
    try {
      await handlers.onIncoming(message);
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      handlers.onUnusable(error.message);
    }
    received.set(key, true);
  }

  /** Messages between the account's own devices. */
  const isFromHandset = ({ attrs }: BinaryNode) =>
    attrs.category === 'peer' && isOwn(reading.ownAddresses(), attrs.from ?? '');

  /** What a handset shared is worth having, and nothing rests on it. */
  async function keepHistory(shared: proto.Message.IHistorySyncNotification): Promise<void> {
    await readHistory(shared, {
      mediaOrigin: options.mediaOrigin,
      agent: options.agent,
      onFindings: (findings) => keepFindings({ sock, chats }, findings),
      signal: closing.signal,
    }).catch((error: unknown) => {
      if (!closing.signal.aborted) options.logger.warn({ err: error }, 'a history could not be read');
    });
  }

  async function aroundDecryption(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const release = keys.hold();
    try {
      const plaintext = await decrypt().catch((error: unknown) => {
        if (wasDecryptedBefore(error)) return nothingNew;
        throw error;
      });
      const stanza = stanzaOf.get(ciphertext);
      const history = stanza && isFromHandset(stanza) ? takeHistory(plaintext) : undefined;
      if (history) {
        void keepHistory(history.shared);
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

  /** Whoever guesses an id gets only what went to their own conversation. */
  async function findSentTo(chat: string, networkId: string): Promise<proto.IMessage | undefined> {
    const sent = await options.findSent(networkId).catch(() => undefined);
    const address = isLidUser(chat) ? await reading.findNumberOfLid(chat) : chat;
    const number = jidDecode(address ?? '')?.user ?? '';
    if (!sent || !isSameNumber(sent.to, number)) return undefined;
    const { expiration } = await chats.read([number, jidDecode(chat)?.user ?? '']);
    const file = 'media' in sent.content ? await options.uploads.find(sent.content) : undefined;
    return toProtocol(sent, { jid: chat, own: ownAddress(sock, chat), expiration: expiration?.seconds, file });
  }

  const sock = makeWASocket({
    ...(options.url === undefined ? {} : { waWebSocketUrl: options.url }),
    version: options.version,
    ...(options.agent && { agent: options.agent as HttpsAgent, fetchAgent: options.agent as HttpsAgent }),
    auth: { creds: credentials, keys },
    logger,
    makeSignalRepository: createSignalRepository({ keys, aroundDecryption }),
    // Accounts refuse to link devices with a name of their own making.
    browser: Browsers.ubuntu('Chrome'),
    syncFullHistory: false,
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    // Whatever came behind a message that cannot be decrypted would wait for it.
    retryRequestDelayMs: 0,
    defaultQueryTimeoutMs: queryTimeoutMs,
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    userDevicesCache: options.devices,
    msgRetryCounterCache: options.retryCounts,
    shouldIgnoreJid: (jid) => Boolean(isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid)),
    getMessage: async ({ id, remoteJid }) => (id && remoteJid ? findSentTo(remoteJid, id) : undefined),
  });
  const raw = gateFrames(sock, gate);
  const cutOff = () => {
    gate.shut();
    raw.terminate();
  };
  options.abandoned.addEventListener('abort', cutOff);
  const receiptsStored = new WeakMap<BinaryNode, Promise<void>>();
  confirmReceiptsOnceStored(sock, (frame) => receiptsStored.get(frame), options.logger);

  sock.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array) return;
    // Baileys handles one message after the other only where they waited at WhatsApp. Else the first of a contact, for
    // which keys are read and stored, is overtaken by those behind it.
    if (frame.tag === 'message') frame.attrs.offline ??= '1';
    for (const ciphertext of ciphertextsOf(frame)) stanzaOf.set(ciphertext, frame);
    const unavailable = unavailableKind(frame);
    if (unavailable !== undefined) {
      const stored = receive(readUnavailable(reading, frame, unavailable));
      gate.waitFor(stored);
    }
    const receipts = frame.tag === 'receipt' ? readReceipts(frame, clock) : [];
    if (receipts.length > 0) receiptsStored.set(frame, handlers.onReceipts(receipts) ?? Promise.resolve());
    if (isRetryRequest(frame)) receiptsStored.set(frame, untilAnswerable(frame, sock, closing.signal));
    handlers.onNode(frame);
  });
  sock.ws.on('unexpected-response', (_request: unknown, response: { statusCode?: number }) =>
    handlers.onRefused(response.statusCode ?? 0),
  );
  sock.ev.on('creds.update', () => keys.credentialsChanged());
  sock.ev.on('connection.update', (update) => handlers.onUpdate(update));
  sock.ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) receive(readUpsert(reading, message)).catch(handlers.onStoreFailure);
  });

  return {
    sock,
    credentials,
    chats,
    mediaConnection: new MediaConnection(sock, clock),
    uploadAgain: new UploadAgain(sock),
    credentialsChanged: () => keys.credentialsChanged(),
    async close() {
      closing.abort();
      keys.seal();
      await keys.settled().catch(() => undefined);
      await gate.idle();
      gate.shut();
      const timer = setTimeout(() => raw.terminate(), goodbyeMs);
      await sock.end(undefined).catch(() => undefined);
      clearTimeout(timer);
      options.abandoned.removeEventListener('abort', cutOff);
    },
  };
}

type RawSocket = { send(data: Uint8Array, done?: (error?: Error) => void): void; terminate(): void };

/** Baileys confirms a receipt when it is told of it: that waits for the store, and no other frame waits with it. */
function confirmReceiptsOnceStored(
  sock: WASocket,
  storedOf: (frame: BinaryNode) => Promise<void> | undefined,
  logger: Logger,
): void {
  const emit = sock.ws.emit.bind(sock.ws);
  sock.ws.emit = (event: string | symbol, ...args: unknown[]) => {
    const stored = event === 'CB:receipt' ? storedOf(args[0] as BinaryNode) : undefined;
    if (!stored) return emit(event, ...args);
    stored.then(
      () => emit(event, ...args),
      (error: unknown) => logger.warn({ err: error }, 'a receipt is left to come again'),
    );
    return true;
  };
}

/**
 * The WebSocket inside Baileys' own client is there as soon as the socket is made, and everything is written through
 * it. Baileys goes on as if each frame were written at once, so that the next message is encrypted meanwhile.
 */
function gateFrames(sock: WASocket, gate: FrameGate): RawSocket {
  const { socket } = sock.ws as unknown as { socket: RawSocket };
  const send = socket.send.bind(socket);
  socket.send = (data, done) => {
    gate.pass(() => send(data));
    done?.();
  };
  return socket;
}

/** What a stanza says that it holds back: such a one is never sent again. */
function unavailableKind({ tag, content }: BinaryNode): string | undefined {
  const parts = tag === 'message' && Array.isArray(content) ? content : [];
  const type = parts.find((part) => part.tag === 'unavailable')?.attrs.type;
  return type?.endsWith('_unavailable_fanout') ? type.replace('_unavailable_fanout', '') : undefined;
}

function ciphertextsOf({ tag, content }: BinaryNode): Uint8Array[] {
  if (tag !== 'message' || !Array.isArray(content)) return [];
  return content.flatMap((part) => (part.tag === 'enc' && part.content instanceof Uint8Array ? [part.content] : []));
}
