/** A phone of the product against the stand-in, for tests: opens a session and keeps everything it was told. */
import { pino } from 'pino';
import { systemClock } from '#server/platform/clock.ts';
import { resolveWithSystem } from '#server/platform/http/resolve-host.ts';
import type {
  HistoryNews,
  IncomingMessage,
  LinkPreview,
  OpenSession,
  Peer,
  Receipt,
  SentMessage,
  Session,
  SessionState,
  StandingSignal,
} from '#server/connectors/messaging/port.ts';
import { createNetworkId, networkOf } from '#server/connectors/messaging/whatsapp/whatsapp-connector.ts';
import type { WhatsAppConnectorOptions } from '#server/connectors/messaging/whatsapp/connector-options.ts';
import { createWhatsAppEngine } from '#server/connectors/messaging/whatsapp/whatsapp-engine.ts';
import { MemoryCredentialStore } from './memory-credential-store.ts';
import { MemoryMedia } from './memory-media.ts';
import type { ScanOptions } from './pairing.ts';
import type { WhatsAppStandIn } from './stand-in.ts';

export type TestPhoneOptions = {
  store?: MemoryCredentialStore;
  expectedNumber?: string;
  proxy?: string;
  connector?: Partial<WhatsAppConnectorOptions>;
  /** Stores an incoming message; a rejection refuses it. */
  storeIncoming?: (message: IncomingMessage) => Promise<void>;
  /** Sent messages by id, for recipients that ask again. */
  sent?: Map<string, SentMessage>;
  rejectsCalls?: boolean;
  /** Chats of before the link are taken from then on. */
  historySince?: () => Promise<Date>;
  /** Stores news of them; false ends it. */
  storeHistory?: (news: HistoryNews) => Promise<boolean>;
  /** The preview of a link in a text. */
  preview?: (text: string) => LinkPreview | undefined;
  /** Another phone's, for one that takes its place. */
  media?: MemoryMedia;
};

type Waiter = { isMet(state: SessionState): boolean; resolve(state: SessionState): void };

export class TestPhone {
  readonly states: SessionState[] = [];
  readonly receipts: Receipt[] = [];
  readonly incoming: IncomingMessage[] = [];
  readonly history: HistoryNews[] = [];
  readonly signals: StandingSignal[] = [];
  readonly typing: { peer: Peer; isTyping: boolean }[] = [];
  readonly online: { peer: Peer; isOnline: boolean; lastSeen: Date | null }[] = [];
  readonly unusable: string[] = [];
  /** Every line that was logged, at any level. */
  readonly log: string[] = [];
  readonly store: MemoryCredentialStore;
  readonly media: MemoryMedia;
  readonly session: Session;
  readonly #sent: Map<string, SentMessage>;
  #waiters: Waiter[] = [];

  constructor(wa: { url: string }, options: TestPhoneOptions = {}) {
    this.store = options.store ?? new MemoryCredentialStore();
    this.media = options.media ?? new MemoryMedia();
    this.#sent = options.sent ?? new Map();
    const connector = {
      socketUrl: wa.url,
      clock: systemClock,
      logger: pino({ level: 'trace' }, { write: (line: string) => void this.log.push(line) }),
      backoff: { firstMs: 5, longestMs: 50 },
      egress: { isPrivateAllowed: true, resolveHost: resolveWithSystem },
      ...options.connector,
    };
    const engine = createWhatsAppEngine(connector, networkOf(connector));
    this.session = engine.open(this.#opening(options));
  }

  /** The next state with this status, from now on. */
  next<S extends SessionState['status']>(status: S): Promise<Extract<SessionState, { status: S }>> {
    return new Promise((resolve) => {
      this.#waiters.push({
        isMet: (state) => state.status === status,
        resolve: (state) => resolve(state as Extract<SessionState, { status: S }>),
      });
    });
  }

  /** Scans the QR code and waits until the phone is connected. */
  async link(wa: WhatsAppStandIn, number: string, options?: ScanOptions): Promise<void> {
    const connected = this.next('connected');
    const { payload } = await this.next('qr');
    await wa.scan(payload, number, options);
    await connected;
  }

  /** Sends a text as the product does: the id is chosen and kept first. */
  send(to: string, text: string, networkId: string = createNetworkId()) {
    return this.deliver({ to, content: { type: 'text', text }, quote: null }, networkId);
  }

  /** The same for anything else. */
  deliver(message: SentMessage, networkId: string = createNetworkId()) {
    this.#sent.set(networkId, message);
    return this.session.send({ networkId, ...message });
  }

  newId(): string {
    return createNetworkId();
  }

  /** Messages that came and could be read. */
  get readable(): IncomingMessage[] {
    return this.incoming.filter(({ content }) => content.type !== 'waiting');
  }

  get restrictions(): StandingSignal[] {
    return this.signals.filter(({ kind }) => kind === 'refused');
  }

  /** The texts that came and could be read, in order. */
  get incomingTexts(): string[] {
    return this.readable.map(({ content }) => ('text' in content ? content.text : ''));
  }

  receiptsOf(networkId: string): string[] {
    return this.receipts.filter((receipt) => receipt.networkId === networkId).map(({ status }) => status);
  }

  #opening(options: TestPhoneOptions): OpenSession {
    return {
      phoneId: 1,
      expectedNumber: options.expectedNumber,
      credentials: this.store,
      proxy: options.proxy,
      findSent: async (networkId) => this.#sent.get(networkId),
      media: this.media,
      rejectsCalls: async () => options.rejectsCalls ?? false,
      takesHistorySince: async () => options.historySince?.(),
      findPreview: async (text) => options.preview?.(text),
      findUnread: async () => [],
      events: {
        onState: (state) => this.#told(state),
        onReceipts: (receipts) => void this.receipts.push(...receipts),
        onIncoming: async (message) => {
          await options.storeIncoming?.(message);
          this.incoming.push(message);
        },
        onHistory: async (news) => {
          const goesOn = (await options.storeHistory?.(news)) ?? true;
          this.history.push(news);
          return goesOn;
        },
        onUnusable: (reason) => void this.unusable.push(reason),
        onTyping: (peer, isTyping) => void this.typing.push({ peer, isTyping }),
        onOnline: (peer, online) => void this.online.push({ peer, ...online }),
        onSignal: async (signal) => void this.signals.push(signal),
      },
    };
  }

  #told(state: SessionState): void {
    this.states.push(state);
    const met = this.#waiters.filter((waiter) => waiter.isMet(state));
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const waiter of met) waiter.resolve(state);
  }
}
