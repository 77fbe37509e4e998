import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import { createAnswers } from './answers.ts';
import type { Connector, OpenSession, OutgoingMessage, Receipt, SendOutcome, Session, SessionEvents } from '../port.ts';

/** A recipient with this ending is refused, as a number without WhatsApp is. */
const refusedEnding = '0000';
/** A recipient with this ending never gets what was sent. */
const undeliveredEnding = '0001';

const deliveredAfterMs = 150;
const readAfterMs = 500;
const receiptIntervalMs = 50;
/** After what an earlier session had sent could not be looked up. */
const resumePauseMs = 5_000;

/** A simulated phone: it connects by itself, delivers to nobody and answers within a second as a network would. */
export function createSandboxConnector({ clock }: { clock: Clock }): Connector {
  return {
    name: 'sandbox',
    engine: 'sandbox',
    resendIsHarmless: true,
    concurrentSends: 500,
    createNetworkId: () => `SANDBOX${randomBytes(10).toString('hex').toUpperCase()}`,
    open: (input) => openSession(input, clock),
  };
}

function openSession(input: OpenSession, clock: Clock): Session {
  const receipts = createReceiptSchedule(input.events.onReceipts, clock);
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
    return Promise.resolve();
  }
  return {
    send(message: OutgoingMessage): Promise<SendOutcome> {
      if (isClosed)
        return Promise.resolve({ kind: 'unknown', reason: 'The phone was disconnected', isAttempted: false });
      if (message.to.endsWith(refusedEnding)) {
        const reason = 'This number is not on WhatsApp';
        return Promise.resolve({ kind: 'refused', code: 'not_on_whatsapp', reason });
      }
      if (!message.to.endsWith(undeliveredEnding)) receipts.schedule(message.networkId);
      answers.schedule(message.to);
      return Promise.resolve({ kind: 'accepted', at: clock.now() });
    },
    requestPairingCode: () => Promise.resolve(undefined),
    signOut: close,
    close,
  };
}

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
      const reached = page.filter(({ to }) => !to.endsWith(undeliveredEnding));
      const receipts = (status: Receipt['status']) => reached.map(({ networkId }) => ({ networkId, status, at }));
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
