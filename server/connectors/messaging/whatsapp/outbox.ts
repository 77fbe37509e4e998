import type { BinaryNode } from 'baileys';
import { pauseAfter } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import { cleanText, dateOfSeconds, isStorableId } from '../network-values.ts';
import { MediaMissingError, StaleLeaseError } from '../port.ts';
import type { OutgoingMessage, SendOutcome, SessionEvents, TimeLock } from '../port.ts';
import { afterRefusal } from './after-refusal.ts';
import type { Tried } from './after-refusal.ts';
import { isBoom } from './boom.ts';
import { BoundedMap } from './bounded-map.ts';
import { LookUpsPausedError } from './look-up-breaker.ts';
import type { Address } from './recipients.ts';

/** Encrypting waits its turn behind what the same contact has sent, of which there may be much. */
const writeTimeoutMs = 5 * 60_000;
const accountRestricted = '463';
const timedOut = 408;
const connectionClosed = 428;
const tooMany = 429;
const serverTrouble = 500;
/** Baileys' error when a message could be encrypted for none of the recipient's devices, whatever the cause. */
const nothingEncrypted = 'All encryptions failed';

export type OutboxOptions = {
  clock: Clock;
  logger: Logger;
  /** How long the server may take to answer a message. */
  ackTimeoutMs: number;
  events: Pick<SessionEvents, 'onReceipts' | 'onSignal'>;
  /** Asks WhatsApp whether a refusal is due to a lock. */
  askTimeLock(): Promise<TimeLock | undefined>;
  /** Resolves once it is stored that new chats are capped, and how. */
  noteCap(): Promise<void>;
  /** Why the owner's own proxy lets nothing through, a sentence. */
  proxyFailure(): string | undefined;
};

/** How one connection sends; gone with the connection. */
export type Transport = {
  isOpen(): boolean;
  /** Whether it has stood for long enough that a message which breaks it is to blame. */
  isProven(): boolean;
  prepare(number: string): Promise<Address | undefined>;
  /** The other address of the same contact, where there is one. */
  findOther(number: string, refused: Address): Promise<Address | undefined>;
  /** The network took a message at this address after it had refused the other one. */
  remember(number: string, address: Address): Promise<void>;
  /** Fetches the devices and keys of the contact anew, or its token. */
  renewSession(address: Address): Promise<void>;
  renewToken(address: Address): Promise<void>;
  /** Uploads the file of a message that carries one, and has the preview of a link fetched. */
  provide(message: OutgoingMessage): Promise<void>;
  sendMessage(address: Address, message: OutgoingMessage): Promise<unknown>;
};

type Waiting = {
  message: OutgoingMessage;
  outcome: Promise<SendOutcome>;
  /** Starts the time that the message may take to be written, as its turn comes. */
  begin(): void;
  /** Starts the time that the server has to answer, once the message is written. */
  awaitAck(): void;
  isBegun: boolean;
  /** Whether it began on a connection that had proven itself. */
  isOnProven: boolean;
  /** Where it was written to last, and by which connection. */
  written?: Address;
  writeTo?: (address: Address) => Promise<void>;
  transport?: Transport;
  tried: Tried;
  settle(outcome: SendOutcome): void;
};

/**
 * The messages under way: each waits for the server's ack, which alone says that the server took it. Messages to the
 * same recipient go one after the other, so that a retry is not overtaken by a later message.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Messages that were handed to the connection, in that order. */
  readonly #written = new Set<Waiting>();
  /** The last message to each recipient. */
  readonly #last = new Map<string, Waiting>();
  /** How often a connection that had not proven itself broke over a message. */
  readonly #suspected = new BoundedMap<number>(mostSuspected);
  #pauseNotedMs: number | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** A message that is under way already is not sent a second time. */
  send(message: OutgoingMessage, transport: Transport): Promise<SendOutcome> {
    const underWay = this.#waiting.get(message.networkId);
    if (underWay) return underWay.outcome;
    const before = this.#last.get(message.to);
    const waiting = this.#await(message);
    waiting.writeTo = async (address) => {
      waiting.written = address;
      await transport.sendMessage(address, message);
      if (this.#waiting.get(message.networkId) !== waiting) return;
      this.#written.add(waiting);
      waiting.awaitAck();
    };
    waiting.transport = transport;
    void this.#goAfter(before, waiting, transport);
    return waiting.outcome;
  }

  async #goAfter(before: Waiting | undefined, waiting: Waiting, transport: Transport): Promise<void> {
    const earlier = before && (await before.outcome);
    // A file that cannot be uploaded says nothing of what comes after it.
    if (earlier?.kind === 'held' && earlier.code !== 'media_upload_failed') return waiting.settle(earlier);
    if (earlier?.kind === 'unknown') {
      const reason = 'An earlier message to this recipient is tried again first';
      return waiting.settle({ kind: 'unknown', reason, isAttempted: false });
    }
    // The connection may have gone meanwhile.
    if (this.#waiting.get(waiting.message.networkId) !== waiting) return;
    const unsent = await this.#provide(waiting.message, transport);
    if (unsent) return waiting.settle(unsent);
    if (this.#waiting.get(waiting.message.networkId) !== waiting) return;
    waiting.isOnProven = transport.isProven();
    waiting.begin();
    const outcome = await this.#attempt(waiting.message, transport, waiting);
    if (outcome) waiting.settle(outcome);
  }

  /** Resolves to nothing once what the message names is where it says it is. */
  async #provide(message: OutgoingMessage, transport: Transport): Promise<SendOutcome | undefined> {
    if (!('media' in message.content) && message.content.type !== 'text') return undefined;
    try {
      await transport.provide(message);
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'The file could not be uploaded';
      this.#options.logger.warn({ networkId: message.networkId, reason }, 'a file was not uploaded');
      if (error instanceof MediaMissingError) return { kind: 'refused', code: 'media_unavailable', reason };
      const until = new Date(this.#options.clock.now().getTime() + uploadPauseMs);
      return {
        kind: 'held',
        code: 'media_upload_failed',
        reason: this.#options.proxyFailure() ?? uploadFailedReason,
        until,
      };
    }
  }

  /** The server's answer to a message, refused when it carries an error. */
  handleAck({ attrs }: BinaryNode): void {
    const { id = '', error, t } = attrs;
    const waiting = this.#waiting.get(id);
    if (error !== undefined) {
      if (!waiting)
        this.#options.logger.warn({ networkId: id, error }, 'a message was refused after its answer was given up');
      if (waiting) void this.#refused(waiting, error);
      return;
    }
    const at = dateOfSeconds(Number(t), this.#options.clock.now());
    if (waiting) {
      const { tried, written, transport, message } = waiting;
      const remembered = tried.other && written ? transport?.remember(message.to, written) : undefined;
      if (!remembered) return waiting.settle({ kind: 'accepted', at });
      void remembered.catch(() => undefined).finally(() => waiting.settle({ kind: 'accepted', at }));
    } else if (isStorableId(id)) void this.#options.events.onReceipts([{ networkId: id, status: 'sent', at }]);
  }

  /** Follows what the error means: what may help is tried once, and what never does ends it. */
  async #refused(waiting: Waiting, error: string): Promise<void> {
    const { written, tried, message } = waiting;
    const timeLock = error === accountRestricted ? await this.#options.askTimeLock() : undefined;
    const isLocked = timeLock?.isActive;
    // A measure that could not be tried for now may help yet.
    let passing: SendOutcome | undefined;
    for (const next of afterRefusal({ error, address: written?.kind ?? 'pn', tried, isLocked })) {
      switch (next) {
        case 'fresh_session':
        case 'fresh_token':
        case 'other_address': {
          const outcome = await this.#tryAgain(waiting, next);
          if (outcome === 'written') return;
          passing ??= outcome;
          break;
        }
        case 'busy':
          return waiting.settle({ kind: 'unknown', reason: busyReason(error), isAttempted: true });
        case 'capped':
          await this.#options.noteCap();
          return waiting.settle({ ...heldBack, reason: cappedReason, until: this.#inAnHour() });
        case 'restricted':
          return waiting.settle(await this.#restriction(message, timeLock));
        case 'refused':
          return waiting.settle(passing ?? refusal(error));
      }
    }
  }

  /** Answers an outcome where the measure could not be tried for now, nothing where it does not help. */
  async #tryAgain(
    { written, writeTo, transport, tried, message }: Waiting,
    how: 'fresh_session' | 'fresh_token' | 'other_address',
  ): Promise<'written' | SendOutcome | undefined> {
    if (!written || !writeTo || !transport) return undefined;
    try {
      let address: Address | undefined = written;
      if (how === 'other_address') {
        tried.other = true;
        address = await transport.findOther(message.to, written);
      } else if (how === 'fresh_session') {
        tried.session = true;
        await transport.renewSession(written);
      } else {
        tried.token = true;
        await transport.renewToken(written);
      }
      if (!address) return undefined;
      await writeTo(address);
      return 'written';
    } catch (error) {
      this.#options.logger.warn({ err: error, how }, 'a refused message could not be tried again');
      return await this.#passingOutcome(error, transport);
    }
  }

  #inAnHour(): Date {
    return new Date(this.#options.clock.now().getTime() + restrictionMs);
  }

  /**
   * The connection is gone: nothing under way will be answered. Answers come in the order of messages, so that the first
   * one without an answer is what may have broken it, and what came behind it has not had its try. `isBroken`: nothing else
   * is known to have ended it.
   */
  giveUp(reason: string, { isBroken }: { isBroken: boolean }): void {
    const [written] = this.#written;
    const suspect = isBroken ? (written ?? [...this.#waiting.values()].find(({ isBegun }) => isBegun)) : undefined;
    for (const waiting of this.#waiting.values()) {
      waiting.settle({ kind: 'unknown', reason, isAttempted: false, ...(waiting === suspect && this.#blame(suspect)) });
    }
  }

  /**
   * Where connections come and go, the oldest message meets each end, and no end is its fault: it costs an attempt only on a
   * connection that had proven itself. A message that breaks each one again and again rests, until one could.
   */
  #blame({ message, isOnProven }: Waiting): { isAttempted: boolean; until?: Date } {
    if (isOnProven) return { isAttempted: true };
    const times = (this.#suspected.get(message.networkId) ?? 0) + 1;
    this.#suspected.set(message.networkId, times);
    if (times === 1) return { isAttempted: false };
    const restMs = pauseAfter(times - 1, suspectGrowth);
    return { isAttempted: false, until: new Date(this.#options.clock.now().getTime() + restMs) };
  }

  /** Resolves to nothing once the message is written: its answer comes as an ack. */
  async #attempt(
    { networkId, to }: OutgoingMessage,
    transport: Transport,
    waiting: Waiting,
  ): Promise<SendOutcome | undefined> {
    let isPrepared = false;
    try {
      const address = await transport.prepare(to);
      if (address === undefined) {
        return { kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' };
      }
      isPrepared = true;
      await waiting.writeTo?.(address);
      return undefined;
    } catch (error) {
      const passing = await this.#passingOutcome(error, transport);
      if (passing?.kind === 'held') return passing;
      this.#options.logger.warn({ networkId, reason: error instanceof Error ? error.message : '' }, 'a send failed');
      if (passing) return passing;
      if (!isPrepared) return unanswered;
      const reason = 'This message could not be encrypted for the recipient';
      return { kind: 'refused', code: 'network_refused', reason };
    }
  }

  /** The outcome of a failure that says nothing of the message; undefined where it does. */
  async #passingOutcome(error: unknown, transport: Transport): Promise<SendOutcome | undefined> {
    if (error instanceof LookUpsPausedError) {
      await this.#notePause(error.until);
      return lookUpsPaused(error.until);
    }
    if (isOfConnection(error)) return { ...unanswered, isAttempted: false };
    return isPassing(error) || !transport.isOpen() ? unanswered : undefined;
  }

  /** Once a pause, however many messages meet it. */
  async #notePause(until: Date): Promise<void> {
    if (until.getTime() === this.#pauseNotedMs) return;
    this.#pauseNotedMs = until.getTime();
    await this.#options.events.onSignal({ kind: 'look_ups_paused', until });
  }

  async #restriction({ to, networkId }: OutgoingMessage, timeLock: TimeLock | undefined): Promise<SendOutcome> {
    await this.#options.events.onSignal({ kind: 'refused', to, networkId, timeLock });
    const until = timeLock?.isActive ? (timeLock.endsAt ?? this.#inAnHour()) : this.#inAnHour();
    return { ...heldBack, reason: restrictedReason, until };
  }

  #await(message: OutgoingMessage): Waiting {
    const { networkId, to } = message;
    const { promise, resolve } = Promise.withResolvers<SendOutcome>();
    let timer: NodeJS.Timeout | undefined;
    const within = (ms: number, reason: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => waiting.settle({ kind: 'unknown', reason, isAttempted: true }), ms);
    };
    const waiting: Waiting = {
      message,
      outcome: promise,
      isBegun: false,
      isOnProven: false,
      tried: { session: false, token: false, other: false },
      begin: () => {
        waiting.isBegun = true;
        within(writeTimeoutMs, 'The message could not be written in time');
      },
      awaitAck: () => within(this.#options.ackTimeoutMs, 'WhatsApp did not confirm the message in time'),
      settle: (outcome) => {
        clearTimeout(timer);
        if (this.#waiting.get(networkId) === waiting) this.#waiting.delete(networkId);
        if (this.#last.get(to) === waiting) this.#last.delete(to);
        this.#written.delete(waiting);
        resolve(outcome);
      },
    };
    this.#waiting.set(networkId, waiting);
    this.#last.set(to, waiting);
    return waiting;
  }
}

/**
 * No answer in time, or one that says that the server has trouble or too much to do. Baileys puts its code into `data`.
 * Or what is kept here could not be read or written for now: the message is as good as before. Where nothing could be
 * encrypted, a key may have gone with an answer to another message meanwhile, and the next try asks for a new one.
 */
function isPassing(error: unknown): boolean {
  if (isTransient(error) || error instanceof StaleLeaseError) return true;
  if (!isBoom(error)) return false;
  if (error.message === nothingEncrypted) return true;
  const code = Number(error.data);
  return error.output.statusCode === timedOut || code === tooMany || code >= serverTrouble;
}

/** The connection ended; the session hears of it in a moment. */
const isOfConnection = (error: unknown) => isBoom(error) && error.output.statusCode === connectionClosed;

function lookUpsPaused(until: Date): SendOutcome {
  const reason = 'WhatsApp answers no questions about numbers for now; whether this one has an account is asked later';
  return { kind: 'held', code: 'look_ups_paused', reason, until };
}

const refusal = (error: string): SendOutcome => ({
  kind: 'refused',
  code: 'network_refused',
  reason: `WhatsApp refused the message (error ${cleanText(error, 20)})`,
});

const unanswered = { kind: 'unknown', reason: 'WhatsApp did not answer', isAttempted: true } as const;
const heldBack = { kind: 'held', code: 'account_restricted' } as const;
const busyReason = (error: string) => `WhatsApp could not take the message for now (error ${error})`;
const cappedReason = 'WhatsApp allows this account no more new chats for now';
const restrictedReason = 'WhatsApp restricted this account: it may not write to new contacts for now';
const restrictionMs = 60 * 60_000;

const uploadFailedReason = "WhatsApp's servers for media did not take the file";
const uploadPauseMs = 30_000;

const mostSuspected = 1_000;
const suspectGrowth = { firstMs: 10_000, longestMs: 5 * 60_000 };
