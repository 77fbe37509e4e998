import type { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import {
  Browsers,
  isJidStatusBroadcast,
  isJidGroup,
  isJidNewsletter,
  isLidUser,
  jidDecode,
  makeWASocket,
  proto,
} from 'baileys';
import type { AuthenticationCreds, BinaryNode, CacheStore, ConnectionState, WASocket, WAVersion } from 'baileys';
import type { Growth } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { lidOf } from '../port.ts';
import type { CredentialStore, HistoryNews, IncomingMessage, Receipt, SentMessage } from '../port.ts';
import { isRetryRequest, untilAnswerable } from './answerable-retry.ts';
import { createBaileysLogger } from './baileys-logger.ts';
import { createChatBook } from './chat-book.ts';
import type { ChatBook } from './chat-book.ts';
import { serializeCredentials } from './credentials.ts';
import type { DeviceCache } from './device-cache.ts';
import { createFrameGate } from './frame-gate.ts';
import { keepFindings } from './history/keep-findings.ts';
import { HistoryKeeper } from './history/history-keeper.ts';
import { CallBook, readCall } from './incoming/calls.ts';
import type { FinishedCall } from './incoming/calls.ts';
import { readUnavailable, readUpsert, readWaiting } from './incoming/read-message.ts';
import type { ReadingOptions } from './incoming/read-message.ts';
import { secretOfOwn } from './incoming/sealed-changes.ts';
import { createReceiver } from './incoming/receiver.ts';
import { MissingMessages } from './incoming/missing-messages.ts';
import { readReceipts } from './incoming/receipts.ts';
import { createKeyStore } from './key-store.ts';
import { tellOwnNameWithPresence } from './own-name.ts';
import { isSameNumber } from './same-number.ts';
import { UploadAgain } from './media/ask-again.ts';
import { MediaConnection } from './media/media-connection.ts';
import type { MediaUploads } from './media/media-uploads.ts';
import { confirmReceiptsOnceStored, gateFrames, unavailableKind } from './raw-frames.ts';
import { createSignalRepository } from './signal-repository.ts';
import { ownAddress } from './send-through.ts';
import { withoutMarks } from './stanza-marks.ts';
import { toProtocol } from './to-protocol.ts';

const queryTimeoutMs = 20_000;
/** A peer that does not say goodbye gets no longer than this. */
const goodbyeMs = 1_000;

export type LiveSocketHandlers = {
  /** Every node from the server, before the library acts on it. */
  onNode(node: BinaryNode): void;
  onUpdate(update: Partial<ConnectionState>): void;
  onReceipts(receipts: Receipt[]): void | Promise<void>;
  onIncoming(message: IncomingMessage): Promise<void>;
  onHistory(news: HistoryNews): Promise<boolean>;
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
  /** Connects through the phone's proxy. */
  agent: Agent | undefined;
  version: WAVersion;
  clock: Clock;
  missingGrowth: Growth;
  logger: Logger;
  store: CredentialStore;
  credentials: AuthenticationCreds;
  devices: DeviceCache;
  /** How often each message was asked for again. */
  retryCounts: CacheStore;
  findSent(networkId: string): Promise<SentMessage | undefined>;
  rejectsCalls(): Promise<boolean>;
  takesHistorySince(): Promise<Date | undefined>;
  uploads: MediaUploads;
  /** Cuts the connection off, whatever is yet to be stored. */
  abandoned: AbortSignal;
  handlers: LiveSocketHandlers;
};

/** A connection to WhatsApp with everything that lives and dies with it. */
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

/**
 * Connects. Outgoing messages wait until the keys they were encrypted with are stored; incoming messages are stored
 * before their keys.
 */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { clock, credentials, handlers } = options;
  const logger = createBaileysLogger(options.logger);
  const closing = new AbortController();
  const gate = createFrameGate((error) => handlers.onStoreFailure(error));
  const keys = createKeyStore({
    store: options.store,
    clock,
    readCurrentCredentials: () => serializeCredentials(credentials),
    onPending: (stored) => gate.waitFor(stored),
    onUnusable: (reason) => handlers.onUnusable(reason),
  });
  const chats = createChatBook(keys, clock);
  const reading: ReadingOptions = {
    clock,
    ownAddresses: () => ({ id: credentials.me?.id, lid: credentials.me?.lid }),
    findNumberOfLid: (lid) => sock.signalRepository.lidMapping.getPNForLID(lid),
    onExpiration: ({ number, lid }, expiration) => chats.rememberExpiration(number ?? lid, expiration),
    secretKey: () => chats.secretKey(),
  };

  const calls = new CallBook(() => clock.now().getTime());
  const missing = new MissingMessages({
    keys,
    clock,
    growth: options.missingGrowth,
    signal: closing.signal,
    ask: (messages) =>
      sock.sendPeerDataOperationMessage({
        placeholderMessageResendRequest: messages.map((messageKey) => ({ messageKey })),
        peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
      }),
    onFailure(error) {
      if (!closing.signal.aborted)
        options.logger.warn({ err: error }, 'the handset was not asked for missing messages');
    },
  });
  const receiver = createReceiver({
    keys,
    reading,
    missing,
    handlers,
    onHistory: (shared) => histories.take(shared),
    onUnstored: (stored) => gate.waitFor(stored),
  });
  const histories = new HistoryKeeper({
    keys,
    reading,
    logger: options.logger,
    mediaOrigin: options.mediaOrigin,
    agent: options.agent,
    signal: closing.signal,
    onFindings: (findings) => keepFindings({ sock, chats }, findings),
    takesSince: options.takesHistorySince,
    onHistory: handlers.onHistory,
  });

  /** Rejects a call that rings, where its owner wants that; else it rings on. */
  async function rejectCall(offered: FinishedCall): Promise<void> {
    try {
      if (!(await options.rejectsCalls())) return;
      await sock.rejectCall(offered.id, offered.from);
      calls.rejected(offered);
      await receiver.receive(readCall(reading, offered));
    } catch (error) {
      if (!closing.signal.aborted) options.logger.warn({ err: error }, 'a call could not be rejected');
    }
  }

  /** Only messages of the same conversation are found, so that a guessed id reveals nothing of others. */
  async function findSentTo(chat: string, networkId: string): Promise<proto.IMessage | undefined> {
    const sent = await options.findSent(networkId).catch(() => undefined);
    const address = isLidUser(chat) ? await reading.findNumberOfLid(chat) : chat;
    const number = jidDecode(address ?? '')?.user ?? '';
    const lid = isLidUser(chat) ? jidDecode(chat)?.user : undefined;
    if (!sent || !(isSameNumber(sent.to, number) || (lid !== undefined && lidOf(sent.to) === lid))) return undefined;
    const { expiration } = await chats.read([number, jidDecode(chat)?.user ?? '']);
    const file = 'media' in sent.content ? await options.uploads.find(sent.content) : undefined;
    const secret = secretOfOwn(await chats.secretKey(), networkId);
    return toProtocol(sent, { jid: chat, own: ownAddress(sock, chat), expiration: expiration?.seconds, file, secret });
  }

  const sock = makeWASocket({
    ...(options.url === undefined ? {} : { waWebSocketUrl: options.url }),
    version: options.version,
    ...(options.agent && { agent: options.agent as HttpsAgent, fetchAgent: options.agent as HttpsAgent }),
    auth: { creds: credentials, keys },
    logger,
    makeSignalRepository: createSignalRepository({ keys, aroundDecryption: receiver.aroundDecryption }),
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
    // Broadcast lists are read: their messages are encrypted for this device alone, as those of a single person are.
    shouldIgnoreJid: (jid) => Boolean(isJidGroup(jid) || isJidStatusBroadcast(jid) || isJidNewsletter(jid)),
    patchMessageBeforeSending: withoutMarks,
    getMessage: async ({ id, remoteJid }) => (id && remoteJid ? findSentTo(remoteJid, id) : undefined),
  });
  tellOwnNameWithPresence(sock, credentials);
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
    receiver.follow(frame);
    const unavailable = unavailableKind(frame);
    if (unavailable !== undefined) {
      // Without a kind it is one that the handset is asked for, such as the lead of an advertisement while it slept.
      const reads = unavailable === '' ? readWaiting(reading, frame) : readUnavailable(reading, frame, unavailable);
      // Also until it is noted that the handset is to be asked for it.
      gate.waitFor(receiver.receive(reads).then(() => keys.settled()));
    }
    const call = frame.tag === 'call' ? calls.follow(frame) : undefined;
    if (call) gate.waitFor(receiver.receive(readCall(reading, call)));
    const offered = frame.tag === 'call' ? calls.offered(frame) : undefined;
    if (offered) void rejectCall(offered);
    const receipts = frame.tag === 'receipt' ? readReceipts(frame, clock) : [];
    if (receipts.length > 0) receiptsStored.set(frame, handlers.onReceipts(receipts) ?? Promise.resolve());
    if (isRetryRequest(frame)) receiptsStored.set(frame, untilAnswerable(frame, sock, closing.signal));
    handlers.onNode(frame);
  });
  sock.ws.on('unexpected-response', (_request: unknown, response: { statusCode?: number }) =>
    handlers.onRefused(response.statusCode ?? 0),
  );
  sock.ev.on('creds.update', () => keys.credentialsChanged());
  sock.ev.on('connection.update', (update) => {
    if (update.connection === 'open') {
      histories.resume();
      void missing.askAgain();
    }
    handlers.onUpdate(update);
  });
  sock.ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) receiver.receive(readUpsert(reading, message)).catch(handlers.onStoreFailure);
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
