import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { UnstorableError } from '#server/connectors/messaging/port.ts';
import type {
  LinkPreview,
  Connector,
  CredentialStore,
  MediaFetch,
  Peer,
  PhoneAnswer,
  PhoneQuestion,
  SendOutcome,
  Session,
  SessionEvents,
  StandingSignal,
  WantedMedia,
} from '#server/connectors/messaging/port.ts';
import { noteMarketingPreference } from '#server/modules/audience/suppressions/index.ts';
import { noteOnline, noteTyping } from '#server/modules/messaging/conversations/index.ts';
import { findLinkPreview, mediaAccessOf, shownPreview } from '#server/modules/messaging/media/index.ts';
import {
  findSent,
  findUnread,
  notePreview,
  receiveMessages,
  takeHistory,
} from '#server/modules/messaging/messages/index.ts';
import type { ClaimedMessage, MessageNews, Reservation } from '#server/modules/messaging/messages/index.ts';
import { recordSignal } from '#server/modules/numbers/health/index.ts';
import { holdNumber, rejectsCalls, takesHistorySince } from '#server/modules/numbers/phones/index.ts';
import { recordSignedOut } from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { openProxy } from '#server/modules/numbers/phones/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { isDataError } from '#server/platform/db/errors.ts';
import { createIncomingQueue } from './incoming-queue.ts';
import { createLinkState } from './link-state.ts';
import { createSendSlots } from './send-slots.ts';
import type { Claiming } from './send-slots.ts';
import { createOnlineGate, createTypingGate } from './typing-gate.ts';
import { signOut } from './sign-out.ts';
import { createStateWriter } from './state-writer.ts';
import { traceSend } from './trace-send.ts';

export type PhoneSessionOptions = {
  lease: Lease;
  phone: PhoneRow;
  connector: Connector;
  credentials: CredentialStore;
  /** Hands over what the network said of messages; resolves once it is stored. */
  settle(news: MessageNews): Promise<void>;
  /** Whether this worker holds the phone still. */
  mayAct(): boolean;
  /** Counts what can never be stored, or is of no use. */
  park(kind: 'phone_state' | 'incoming', error: unknown): void;
  /** The phone can take messages now. */
  onReady(): void;
  /** A message came that carries a file. */
  onMedia(): void;
  /** Whether a message was stored for it is not known. */
  onUncertain(): void;
  /** The session is over: the lease may go. */
  onEnd(): void;
};

/** A live session of one phone that this worker holds: carries news from the network to the database and back. */
export type PhoneSession = {
  readonly lease: Lease;
  readonly connector: Connector;
  /** Begins a look for what waits; undefined when the phone can take no message now. */
  claim(what?: 'waiting' | 'queued'): Claiming | undefined;
  /** Another worker may have it instead: nobody is linking it, and it does not wait for its network. */
  isMovable(): boolean;
  /** The network ids of what is being stored or sent. */
  underWay(): string[];
  /** Keeps a place for a message that is about to be stored; undefined when there is none. */
  reserve(): Reservation | undefined;
  /** Fetches the file of a message that came. */
  fetchMedia(wanted: WantedMedia): Promise<MediaFetch>;
  isConnected(): boolean;
  /** Tells somebody that these messages of theirs were read. Rejects where that did not leave. */
  markRead(peer: Peer, networkIds: readonly string[]): Promise<void>;
  /** Asks the phone's network something. */
  ask(question: PhoneQuestion): Promise<PhoneAnswer>;
  /** Somebody has the conversation open, and types or not. */
  attend(peer: Peer, isTyping: boolean): void;
  /** Follows what the owner wants of the phone now. */
  follow(phone: PhoneRow): void;
  /** Resolves once no send and no write is under way. */
  drain(): Promise<void>;
  close(): Promise<void>;
  /** The lease is lost: the phone leaves the network at once. */
  abandon(): void;
};

export function openPhoneSession(ctx: Context, options: PhoneSessionOptions): PhoneSession {
  const { lease, connector, credentials } = options;
  const logger = ctx.logger.child({ phoneId: lease.phoneId });
  const ended = new AbortController();
  const state = createStateWriter({
    phone: options.phone,
    signal: ended.signal,
    logger,
    onUnstorable: (error) => options.park('phone_state', error),
    onLost: end,
  });
  const isTypingNews = createTypingGate(() => performance.now());
  const isOnlineNews = createOnlineGate(() => performance.now());
  let isSigningOut = false;

  function stopTimers(): void {
    link.stop();
    slots.stop();
  }

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    stopTimers();
    void session.close().finally(() => options.onEnd());
  }

  const link = createLinkState(ctx, {
    lease,
    writer: state,
    logger,
    requestPairingCode: (phoneNumber) => session.requestPairingCode(phoneNumber),
    onConnected: options.onReady,
    onEnded: end,
  });

  function settle(networkId: string, news: MessageNews['news']): Promise<void> {
    return options.settle({
      authority: { kind: 'lease', lease },
      networkId,
      news,
      resendIsHarmless: connector.resendIsHarmless,
    });
  }

  function receivingPhone() {
    const { account_id: accountId, project_id: projectId, number } = state.phone;
    return { accountId, projectId, phoneId: lease.phoneId, number: number ?? '' };
  }

  const receive = createIncomingQueue((messages) => receiveMessages(ctx, receivingPhone(), messages));

  const events: SessionEvents = {
    onState(next) {
      if (!ended.signal.aborted && !isSigningOut) link.change(next);
    },
    async onReceipts(receipts) {
      await Promise.all(receipts.map((receipt) => settle(receipt.networkId, { kind: 'receipt', receipt })));
    },
    async onIncoming(message) {
      const received = await receive(message).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        options.park('incoming', error);
        throw new UnstorableError(error);
      });
      if (received?.media) options.onMedia();
    },
    async onHistory(news) {
      const goesOn = await takeHistory(ctx, receivingPhone(), news).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        // The rest of it may be stored all the same.
        options.park('incoming', error);
        return true;
      });
      options.onMedia();
      return goesOn;
    },
    onUnusable(reason) {
      options.park('incoming', new Error(reason));
      logger.warn({ reason }, 'something from outside was confirmed and left out');
    },
    onTyping(peer, isTyping) {
      const { account_id: accountId, project_id: projectId } = state.phone;
      if (ended.signal.aborted || !isTypingNews(peer, isTyping)) return;
      noteTyping(ctx, { accountId, projectId, peer, isTyping }).catch((error: unknown) => {
        logger.info({ err: error }, 'that somebody types is not shown');
      });
    },
    onOnline(peer, online) {
      const { account_id: accountId, project_id: projectId } = state.phone;
      if (ended.signal.aborted || !isOnlineNews(peer, online)) return;
      noteOnline(ctx, { accountId, projectId, peer, ...online }).catch((error: unknown) => {
        logger.info({ err: error }, 'that somebody is online is not shown');
      });
    },
    async onSignal(signal) {
      const { accountId } = lease;
      if (signal.kind === 'held')
        return holdNumber(ctx, { ...lease, source: 'pace', scope: 'all', reason: signal.reason, until: signal.until });
      if (signal.kind === 'marketing_stopped') {
        const stop = { accountId, phone: signal.to, isStopped: true, at: ctx.clock.now() };
        return inTransaction(ctx, (tx) => noteMarketingPreference(tx, stop));
      }
      return recordStanding(signal);
    },
  };

  async function findPreview(networkId: string, text: string): Promise<LinkPreview | undefined> {
    const found = await findLinkPreview(ctx, { accountId: lease.accountId, text });
    if (!found) return undefined;
    await notePreview(ctx, lease, networkId, shownPreview(found)).catch((error: unknown) => {
      logger.info({ err: error }, 'the preview of a link is not kept');
    });
    return found;
  }

  type StandingNews = Exclude<StandingSignal, { kind: 'held' | 'marketing_stopped' }>;

  /** Resolves once it is stored, or never can be; a write that fails as the database is away is repeated. */
  function recordStanding(signal: StandingNews): Promise<void> {
    state.write(() => recordSignal(ctx, lease, signal));
    return state.idle();
  }

  const session: Session = connector.open({
    phoneId: lease.phoneId,
    expectedNumber: options.phone.number ?? undefined,
    credentials,
    proxy: openProxy(ctx, options.phone),
    findSent: (networkId) => findSent(ctx, lease, networkId),
    media: mediaAccessOf(ctx, lease),
    rejectsCalls: () => rejectsCalls(ctx, lease),
    takesHistorySince: () => takesHistorySince(ctx, lease),
    findPreview: (text, networkId) => findPreview(networkId, text),
    findUnread: (page) => findUnread(ctx, lease, page),
    events,
  });

  const isConnected = () => link.status() === 'connected' && !isSigningOut && !ended.signal.aborted;

  // A process that was stopped goes on amid its work, before its timers tell it that its lease has ended.
  const deliver = ({ networkId, to, content, quote, manner }: ClaimedMessage): Promise<SendOutcome> =>
    options.mayAct()
      ? session.send({ networkId, to, content, quote, ...(manner && { manner }) })
      : Promise.resolve({ kind: 'unknown', reason: 'The phone is held by another process', isAttempted: false });

  const slots = createSendSlots({
    lease,
    connector,
    isOpen: isConnected,
    deliver: (message) => traceSend(ctx, { message, connector: connector.name }, () => deliver(message)),
    settle: (networkId, outcome) => settle(networkId, { kind: 'outcome', outcome }),
    onFree: options.onReady,
    onUncertain: options.onUncertain,
  });

  return {
    lease,
    connector,
    claim: slots.claim,
    isMovable: () =>
      !isSigningOut &&
      !ended.signal.aborted &&
      state.phone.wanted === 'online' &&
      ['connecting', 'connected'].includes(link.status()),
    underWay: slots.underWay,
    reserve: slots.reserve,
    fetchMedia: (wanted) => session.fetchMedia(wanted),
    isConnected,
    markRead: (peer, networkIds) => session.markRead(peer, networkIds),
    ask: (question) =>
      session.ask?.(question) ?? Promise.reject(new Error(`Connector ${connector.name} answers no questions`)),
    attend: (peer, isTyping) => session.attend(peer, isTyping),
    follow(phone) {
      const isAskedAgain = phone.wanted === 'linking' && state.phone.wanted !== 'linking';
      state.phone = phone;
      if (isSigningOut || ended.signal.aborted) return;
      if (phone.sign_out_requested) {
        isSigningOut = true;
        link.stop();
        state.write(() => signOut(session, credentials, logger));
        state.write(() => recordSignedOut(ctx, lease));
        return state.write(async () => end());
      }
      if (phone.wanted === 'offline') return end();
      if (!isDeepStrictEqual(phone.proxy_sealed, options.phone.proxy_sealed)) return end();
      // A user who asks for the link now does not want to wait for the next attempt.
      if (isAskedAgain && link.status() === 'reconnecting') return end();
      if (phone.pairing_requested) state.write(link.offerPairingCode);
    },
    async drain() {
      await slots.idle();
      await state.idle();
    },
    async close() {
      ended.abort();
      stopTimers();
      await session.close();
    },
    abandon() {
      ended.abort();
      stopTimers();
      session.abandon();
    },
  };
}
