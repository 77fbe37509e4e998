import type { AuthenticationCreds, CacheStore, WAVersion } from 'baileys';
import type { Logger } from '#server/platform/logger.ts';
import type { OpenSession, Peer } from '../port.ts';
import type { DeviceCache } from './device-cache.ts';
import { openLiveSocket } from './live-socket.ts';
import type { LiveSocket, LiveSocketHandlers } from './live-socket.ts';
import type { LookUpBreaker } from './look-up-breaker.ts';
import type { MediaUploads } from './media/media-uploads.ts';
import { Presence } from './presence.ts';
import type { PhoneProxy } from './proxy/phone-proxy.ts';
import { createRecipients } from './recipients.ts';
import type { Recipients } from './recipients.ts';
import type { SessionEnvironment } from './session-environment.ts';

/** A connection of a session. */
export type Connection = {
  readonly live: LiveSocket;
  readonly recipients: Recipients;
  readonly presence: Presence;
  isOpen: boolean;
  /** On the monotonic clock. */
  openedAtMs?: number;
  /** How many codes it has shown. */
  qrCodes: number;
  pairingCode?: Promise<string>;
};

/** The parts of a session that outlive its connections. */
export type SessionParts = {
  input: OpenSession;
  environment: SessionEnvironment;
  logger: Logger;
  proxy: PhoneProxy | undefined;
  uploads: MediaUploads;
  devices: DeviceCache;
  retryCounts: CacheStore;
  lookUpBreaker: LookUpBreaker;
  /** Cuts the connection off, whatever is yet to be stored. */
  abandoned: AbortSignal;
};

type ConnectionOptions = SessionParts & {
  credentials: AuthenticationCreds;
  version: WAVersion;
  handlers: Pick<LiveSocketHandlers, 'onNode' | 'onUpdate' | 'onRefused' | 'onStoreFailure'>;
};

export function openConnection(options: ConnectionOptions): Connection {
  const { input, environment, logger, devices } = options;
  const live = openLiveSocket({
    url: environment.socketUrl,
    mediaOrigin: environment.mediaOrigin,
    agent: options.proxy?.agent,
    version: options.version,
    clock: environment.clock,
    missingGrowth: environment.missingGrowth,
    logger,
    store: input.credentials,
    credentials: options.credentials,
    devices,
    retryCounts: options.retryCounts,
    findSent: input.findSent,
    rejectsCalls: input.rejectsCalls,
    takesHistorySince: input.takesHistorySince,
    uploads: options.uploads,
    abandoned: options.abandoned,
    handlers: {
      ...options.handlers,
      onReceipts: (receipts) => input.events.onReceipts(receipts),
      onIncoming: (message) => input.events.onIncoming(message),
      onHistory: (news) => input.events.onHistory(news),
      onUnusable: (reason) => input.events.onUnusable(reason),
    },
  });
  const recipients = createRecipients({
    socket: live.sock,
    answers: environment.answers,
    devices,
    chats: live.chats,
    breaker: options.lookUpBreaker,
  });
  const presence = new Presence({
    sock: live.sock,
    times: environment.presence,
    logger,
    addressOf: ({ number, lid }: Peer) => (number === undefined ? `${lid}@lid` : recipients.recall(number)),
    onTyping: (peer, isTyping) => input.events.onTyping(peer, isTyping),
    onOnline: (peer, online) => input.events.onOnline(peer, online),
  });
  return { live, recipients, presence, isOpen: false, qrCodes: 0 };
}
