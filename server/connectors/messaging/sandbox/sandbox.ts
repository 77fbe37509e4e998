import { randomBytes } from 'node:crypto';
import { connectorTraits } from '#contracts/connectors.ts';
import type { Clock } from '#server/platform/clock.ts';
import { assertNever } from '#server/platform/errors.ts';
import { createAnswers } from './answers.ts';
import { createQuestions } from './questions.ts';
import { fetchSandboxMedia } from './picture.ts';
import { fateOf } from './fates.ts';
import { createLimits } from './limits.ts';
import { createTimers } from './timers.ts';
import type { Connector, OpenSession, OutgoingMessage, Receipt, SendOutcome, Session, SessionEvents } from '../port.ts';

const deliveredAfterMs = 150;
const readAfterMs = 500;
const receiptIntervalMs = 50;
/** After what an earlier session had sent could not be looked up. */
const resumePauseMs = 5_000;
/** How long a slow answer takes: longer than a caller is kept waiting. */
const slowAnswerMs = 20_000;
/** Once what was sent has surely been stored as such. */
const linkLostAfterMs = 300;

const linkLostReason = 'Simulated: the phone lost its link. Choose Connect, and it goes on.';
const disconnected: SendOutcome = { kind: 'unknown', reason: 'The phone was disconnected', isAttempted: false };

type SandboxOptions = { clock: Clock; slowAnswerMs?: number };

/** A simulated phone: it connects by itself, delivers to nobody and answers within a second as a network would. */
export function createSandboxConnector(options: SandboxOptions): Connector {
  return {
    name: 'sandbox',
    engine: 'sandbox',
    resendIsHarmless: true,
    concurrentSends: connectorTraits.sandbox.concurrency,
    createNetworkId: () => `SANDBOX${randomBytes(10).toString('hex').toUpperCase()}`,
    open: (input) => openSession(input, options),
  };
}

function openSession(input: OpenSession, { clock, slowAnswerMs: slowMs = slowAnswerMs }: SandboxOptions): Session {
  const { events } = input;
  const timers = createTimers();
  const limits = createLimits(events, clock);
  const slow = new Set<(outcome: SendOutcome) => void>();
  const receipts = createReceiptSchedule(input.events.onReceipts, clock);
  const questions = createQuestions();
  const answers = createAnswers(input.events, clock);
  const earlier = tellEarlierReceipts(input, clock);
  let isClosed = false;
  queueMicrotask(() => {
    if (isClosed) return;
    input.events.onState({ status: 'connected', phoneNumber: input.expectedNumber ?? '' });
    earlier.start();
  });
  function close() {
    isClosed = true;
    earlier.stop();
    receipts.stop();
    answers.stop();
    timers.stop();
    for (const answer of slow) answer(disconnected);
    return Promise.resolve();
  }
  /** Accepts a message for a recipient that exists: schedules its receipts and its reply. */
  function accept({ networkId, to }: OutgoingMessage): SendOutcome {
    receipts.schedule(networkId);
    answers.schedule(to);
    return accepted();
  }
  const accepted = (): SendOutcome => ({ kind: 'accepted', at: clock.now() });
  function acceptLater(message: OutgoingMessage): Promise<SendOutcome> {
    const { promise, resolve } = Promise.withResolvers<SendOutcome>();
    slow.add(resolve);
    timers.after(slowMs, () => resolve(accept(message)));
    return promise.finally(() => slow.delete(resolve));
  }
  function failLater({ networkId }: OutgoingMessage): SendOutcome {
    const reason = 'The messaging network could not deliver the message';
    timers.after(readAfterMs, () => {
      void events.onReceipts([{ networkId, status: 'failed', code: 'network_refused', reason }]);
    });
    return accepted();
  }
  function loseLink(): SendOutcome {
    timers.after(linkLostAfterMs, () => events.onState({ status: 'auth_failed', reason: linkLostReason }));
    return accepted();
  }
  return {
    async send(message: OutgoingMessage): Promise<SendOutcome> {
      if (isClosed) return disconnected;
      const fate = fateOf(message.to);
      switch (fate) {
        case 'no_account':
          return { kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' };
        case 'refused':
          return { kind: 'refused', code: 'network_refused', reason: 'The messaging network refused the message' };
        case 'restricted':
          return (await limits.refuse(message)) ?? accept(message);
        case 'undelivered':
          return accepted();
        case 'slow':
          return acceptLater(message);
        case 'failed_later':
          return failLater(message);
        case 'link_lost':
          return loseLink();
        case 'read':
          return accept(message);
        default:
          return assertNever(fate);
      }
    },
    fetchMedia: (wanted) => fetchSandboxMedia(wanted, input.media),
    // Nobody is there to see it.
    markRead: () => Promise.resolve(),
    attend: () => undefined,
    ask: (question) => Promise.resolve(questions(question)),
    requestPairingCode: () => Promise.resolve(undefined),
    signOut: close,
    close,
    abandon: () => void close(),
  };
}

const isReached = (to: string) => !['undelivered', 'failed_later', 'link_lost'].includes(fateOf(to));

/** The receipts that an earlier session owed when its process ended. */
function tellEarlierReceipts({ events, findUnread }: OpenSession, clock: Clock): { start(): void; stop(): void } {
  const sentBefore = clock.now();
  let isStopped = false;
  let after = 0;
  let timer: NodeJS.Timeout | undefined;

  async function tellAll(): Promise<void> {
    while (!isStopped) {
      const page = await findUnread({ after, sentBefore });
      const last = page.at(-1);
      if (!last) return;
      const at = clock.now();
      const reached = page.filter(({ to }) => isReached(to));
      const receipts = (status: 'delivered' | 'read') => reached.map(({ networkId }) => ({ networkId, status, at }));
      if (!isStopped) await events.onReceipts(receipts('delivered'));
      if (!isStopped) await events.onReceipts(receipts('read'));
      after = last.id;
    }
  }

  function start(): void {
    tellAll().catch(() => {
      if (!isStopped) timer = setTimeout(start, resumePauseMs);
    });
  }

  return {
    start,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

type Awaited = { networkId: string; sentAtMs: number; delivered: boolean };

/** Receipts of all messages of a phone, reported in groups: one timer, however many messages. */
function createReceiptSchedule(report: SessionEvents['onReceipts'], clock: Clock) {
  let awaited: Awaited[] = [];
  let timer: NodeJS.Timeout | undefined;

  function tellDue() {
    timer = undefined;
    const now = performance.now();
    const at = clock.now();
    const due: Receipt[] = [];
    awaited = awaited.filter((entry) => {
      const age = now - entry.sentAtMs;
      if (!entry.delivered && age >= deliveredAfterMs) {
        entry.delivered = true;
        due.push({ networkId: entry.networkId, status: 'delivered', at });
      }
      if (age < readAfterMs) return true;
      due.push({ networkId: entry.networkId, status: 'read', at });
      return false;
    });
    if (due.length > 0) void report(due);
    if (awaited.length > 0) timer = setTimeout(tellDue, receiptIntervalMs);
  }

  return {
    schedule(networkId: string) {
      awaited.push({ networkId, sentAtMs: performance.now(), delivered: false });
      timer ??= setTimeout(tellDue, receiptIntervalMs);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      awaited = [];
    },
  };
}
