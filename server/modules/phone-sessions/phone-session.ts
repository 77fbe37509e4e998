import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#server/context.ts';
import { UnstorableError } from '#server/connectors/messaging/port.ts';
import type {
  Connector,
  CredentialStore,
  MediaFetch,
  Session,
  SessionEvents,
  SessionState,
  StandingSignal,
  WantedMedia,
} from '#server/connectors/messaging/port.ts';
import { mediaAccessOf } from '#server/modules/media/index.ts';
import { findSent, findUnread, receiveMessage } from '#server/modules/messages/index.ts';
import type { ClaimedMessage, MessageNews, Reservation } from '#server/modules/messages/index.ts';
import { recordSignal } from '#server/modules/phone-health/index.ts';
import {
  recordCodeWithdrawn,
  recordConnected,
  recordLinkCode,
  recordLinkEnded,
  recordLinkScanned,
  recordPairingCode,
  recordReconnecting,
  recordSignedOut,
} from '#server/modules/phone-links/index.ts';
import type { Lease } from '#server/modules/phone-links/index.ts';
import { openProxy } from '#server/modules/phone-numbers/index.ts';
import type { PhoneRow } from '#server/modules/phone-numbers/index.ts';
import { isDataError } from '#server/platform/db/errors.ts';
import { assertNever } from '#server/platform/errors.ts';
import { signOut } from './sign-out.ts';
import { createStateWriter } from './state-writer.ts';

/** A connection that is back within this time is not shown as interrupted. */
const reconnectGraceMs = 3_000;
/** The same where our own database is what it waits for: messages that are accepted meanwhile wait, too. */
const ownFaultGraceMs = 60_000;

/** How long a phone pauses after a send without an answer. */
const resendPauseMs = 1_000;

export type PhoneSessionOptions = {
  lease: Lease;
  phone: PhoneRow;
  connector: Connector;
  credentials: CredentialStore;
  /** Hands over what the network said of messages; resolves once it is stored. */
  settle(news: MessageNews): Promise<void>;
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
  /** How many more messages the phone can take now. */
  freeSlots(): number;
  /** Another worker may have it instead: nobody is linking it, and it does not wait for its network. */
  isMovable(): boolean;
  /** The network ids of what is being stored or sent. */
  underWay(): string[];
  /** Keeps a place for a message that is about to be stored; undefined when there is none. */
  reserve(): Reservation | undefined;
  send(message: ClaimedMessage): Promise<void>;
  /** Fetches the file of a message that came. */
  fetchMedia(wanted: WantedMedia): Promise<MediaFetch>;
  /** Follows what the owner wants of the phone now. */
  follow(phone: PhoneRow): void;
  /** Resolves once no send and no write is under way. */
  drain(): Promise<void>;
  close(): Promise<void>;
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
  const sending = new Set<Promise<void>>();
  let status: SessionState['status'] = 'connecting';
  /** It is being linked, and not merely connected again. */
  let hasShownCode = false;
  /** Places kept for messages that are being stored. */
  const reserved = new Set<string>();
  const sendingIds = new Set<string>();
  /** A request found no free place: the next one that becomes free is announced. */
  let isFull = false;
  let isSigningOut = false;
  let graceTimer: NodeJS.Timeout | undefined;
  let resumeTimer: NodeJS.Timeout | undefined;

  function stopTimers(): void {
    clearTimeout(graceTimer);
    clearTimeout(resumeTimer);
  }

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    stopTimers();
    void session.close().finally(() => options.onEnd());
  }

  function handleState(next: SessionState): void {
    if (ended.signal.aborted || isSigningOut) return;
    const wasCode = status === 'qr';
    status = next.status;
    clearTimeout(graceTimer);
    switch (next.status) {
      case 'connecting':
        if (wasCode) state.write(() => recordLinkScanned(ctx, lease));
        return;
      case 'qr':
        hasShownCode = true;
        state.write(() => recordLinkCode(ctx, lease, next));
        return state.write(offerPairingCode);
      // No engine offers it yet; whoever builds it shows the challenge where the code is shown.
      case 'passkey':
        return;
      case 'connected':
        state.write(() => recordConnected(ctx, lease, next.phoneNumber));
        if (hasShownCode) state.write(() => recordSignal(ctx, lease, { kind: 'linked' }));
        hasShownCode = false;
        return state.write(async () => options.onReady());
      case 'reconnecting':
        // The code went with the connection that showed it.
        if (wasCode) state.write(() => recordCodeWithdrawn(ctx, lease));
        return showInterruptedLater(next);
      case 'disconnected':
      case 'auth_failed':
      case 'banned':
        state.write(() => recordLinkEnded(ctx, lease, next));
        return state.write(async () => end());
      default:
        return assertNever(next);
    }
  }

  function showInterruptedLater(interrupted: Extract<SessionState, { status: 'reconnecting' }>): void {
    const graceMs = interrupted.isOurs ? ownFaultGraceMs : reconnectGraceMs;
    let isLate = false;
    graceTimer = setTimeout(() => {
      state.write(async () => {
        if (status !== 'reconnecting') return;
        // The database was away meanwhile, for want of which it may not be back: it gets its time anew.
        if (isLate) return showInterruptedLater(interrupted);
        isLate = true;
        return recordReconnecting(ctx, lease, interrupted.reason);
      });
    }, graceMs);
  }

  async function offerPairingCode(): Promise<PhoneRow | void> {
    const { number, pairing_requested: isRequested } = state.phone;
    if (!isRequested || !number || status !== 'qr') return;
    // Asked for again with the next poll.
    const code = await session.requestPairingCode(number).catch((error: unknown) => {
      logger.warn({ err: error }, 'a pairing code was not given');
    });
    if (code !== undefined) return recordPairingCode(ctx, lease, code);
  }

  function settle(networkId: string, news: MessageNews['news']): Promise<void> {
    return options.settle({
      authority: { kind: 'lease', lease },
      networkId,
      news,
      resendIsHarmless: connector.resendIsHarmless,
    });
  }

  const events: SessionEvents = {
    onState: handleState,
    async onReceipts(receipts) {
      await Promise.all(receipts.map((receipt) => settle(receipt.networkId, { kind: 'receipt', receipt })));
    },
    async onIncoming(message) {
      const { account_id: accountId, project_id: projectId, number } = state.phone;
      const phone = { accountId, projectId, phoneId: lease.phoneId, number: number ?? '' };
      const received = await receiveMessage(ctx, phone, message).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        options.park('incoming', error);
        throw new UnstorableError(error);
      });
      if (received?.media) options.onMedia();
    },
    onUnusable(reason) {
      options.park('incoming', new Error(reason));
      logger.warn({ reason }, 'something from outside was confirmed and left out');
    },
    onSignal: (signal) => recordStanding(signal),
  };

  /** Resolves once it is stored, or never can be; a write that fails as the database is away is repeated. */
  function recordStanding(signal: StandingSignal): Promise<void> {
    state.write(() => recordSignal(ctx, lease, signal));
    return state.idle();
  }

  /** A send without an answer is retried after a pause, so that an unreachable network is not asked in a tight loop. */
  function pauseAfterUnknown(): void {
    clearTimeout(resumeTimer);
    resumeTimer = setTimeout(() => {
      resumeTimer = undefined;
      options.onReady();
    }, resendPauseMs);
  }

  const session: Session = connector.open({
    phoneId: lease.phoneId,
    expectedNumber: options.phone.number ?? undefined,
    credentials,
    proxy: openProxy(ctx, options.phone),
    findSent: (networkId) => findSent(ctx, lease, networkId),
    media: mediaAccessOf(ctx, lease),
    findUnread: (page) => findUnread(ctx, lease, page),
    events,
  });

  function freeSlots(): number {
    if (status !== 'connected' || resumeTimer !== undefined || isSigningOut || ended.signal.aborted) return 0;
    const free = Math.max(0, connector.concurrentSends - sending.size - reserved.size);
    if (free === 0) isFull = true;
    return free;
  }

  function send({ networkId, to, content, quote }: ClaimedMessage): Promise<void> {
    sendingIds.add(networkId);
    const done = session
      .send({ networkId, to, content, quote })
      .then((outcome) => {
        if (outcome.kind === 'unknown') pauseAfterUnknown();
        return settle(networkId, { kind: 'outcome', outcome });
      })
      .finally(() => {
        sending.delete(done);
        sendingIds.delete(networkId);
        if (isFull) options.onReady();
        isFull = false;
      });
    sending.add(done);
    return done;
  }

  return {
    lease,
    connector,
    freeSlots,
    isMovable: () =>
      !isSigningOut &&
      !ended.signal.aborted &&
      state.phone.wanted === 'online' &&
      ['connecting', 'connected'].includes(status),
    underWay: () => [...reserved, ...sendingIds],
    reserve() {
      if (freeSlots() === 0) return undefined;
      const networkId = connector.createNetworkId();
      reserved.add(networkId);
      return {
        lease,
        networkId,
        send: (message) => {
          reserved.delete(networkId);
          void send(message);
        },
        cancel: () => void reserved.delete(networkId),
        abandon: () => {
          reserved.delete(networkId);
          options.onUncertain();
        },
      };
    },
    send,
    fetchMedia: (wanted) => session.fetchMedia(wanted),
    follow(phone) {
      const isAskedAgain = phone.wanted === 'linking' && state.phone.wanted !== 'linking';
      state.phone = phone;
      if (isSigningOut || ended.signal.aborted) return;
      if (phone.sign_out_requested) {
        isSigningOut = true;
        clearTimeout(graceTimer);
        state.write(() => signOut(session, credentials, logger));
        state.write(() => recordSignedOut(ctx, lease));
        return state.write(async () => end());
      }
      if (phone.wanted === 'offline') return end();
      if (!isDeepStrictEqual(phone.proxy_sealed, options.phone.proxy_sealed)) return end();
      // Whoever asks for it now does not want to wait for the next attempt.
      if (isAskedAgain && status === 'reconnecting') return end();
      if (phone.pairing_requested) state.write(offerPairingCode);
    },
    async drain() {
      await Promise.all(sending);
      await state.idle();
    },
    async close() {
      ended.abort();
      stopTimers();
      await session.close();
    },
  };
}
