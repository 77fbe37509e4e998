import { isBoom } from './boom.ts';
import type { BinaryNode } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { cleanText, dateOfSeconds, isStorableId } from '../network-values.ts';
import type { OutgoingContent, OutgoingMessage, SendOutcome, SessionEvents } from '../port.ts';

const accountRestricted = '463';
const timedOut = 408;

export type OutboxOptions = {
  clock: Clock;
  logger: Logger;
  /** How long the server may take to answer a message. */
  ackTimeoutMs: number;
  events: Pick<SessionEvents, 'onReceipts' | 'onRestricted'>;
};

/** How one connection sends; gone with the connection. */
export type Transport = {
  isOpen(): boolean;
  prepare(number: string): Promise<string | undefined>;
  sendContent(jid: string, content: OutgoingContent, networkId: string): Promise<unknown>;
};

type Waiting = { outcome: Promise<SendOutcome>; settle(outcome: SendOutcome): void };

/** The messages under way: each waits for the server's ack, which alone says that the server took it. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** A message that is under way already is not sent a second time. */
  send(message: OutgoingMessage, transport: Transport): Promise<SendOutcome> {
    const underWay = this.#waiting.get(message.networkId);
    if (underWay) return underWay.outcome;
    const waiting = this.#await(message.networkId);
    void this.#attempt(message, transport).then((outcome) => outcome && waiting.settle(outcome));
    return waiting.outcome;
  }

  /** The server's answer to a message, refused when it carries an error. */
  handleAck({ attrs }: BinaryNode): void {
    const { id = '', error, t } = attrs;
    const waiting = this.#waiting.get(id);
    if (error === accountRestricted) this.#options.events.onRestricted(this.#restriction());
    if (error !== undefined) {
      if (!waiting)
        this.#options.logger.warn({ networkId: id, error }, 'a message was refused after its answer was given up');
      return waiting?.settle(this.#refusal(error));
    }
    const at = dateOfSeconds(Number(t), this.#options.clock.now());
    if (waiting) waiting.settle({ kind: 'accepted', at });
    else if (isStorableId(id)) void this.#options.events.onReceipts([{ networkId: id, status: 'sent', at }]);
  }

  /** The connection is gone: nothing under way will be answered. */
  giveUp(reason: string): void {
    for (const waiting of this.#waiting.values()) waiting.settle({ kind: 'unknown', reason, isAttempted: true });
  }

  /** Resolves to nothing once the message is written: its answer comes as an ack. */
  async #attempt({ networkId, to, content }: OutgoingMessage, transport: Transport): Promise<SendOutcome | undefined> {
    let isPrepared = false;
    try {
      const jid = await transport.prepare(to);
      if (jid === undefined) {
        return { kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' };
      }
      isPrepared = true;
      await transport.sendContent(jid, content, networkId);
      return undefined;
    } catch (error) {
      this.#options.logger.warn({ networkId, reason: error instanceof Error ? error.message : '' }, 'a send failed');
      const isTimeout = isBoom(error) && error.output.statusCode === timedOut;
      if (!isPrepared || isTimeout || !transport.isOpen())
        return { kind: 'unknown', reason: 'WhatsApp did not answer', isAttempted: true };
      const reason = 'This message could not be encrypted for the recipient';
      return { kind: 'refused', code: 'network_refused', reason };
    }
  }

  #restriction(): { reason: string; until: Date } {
    return { reason: restrictedReason, until: new Date(this.#options.clock.now().getTime() + restrictionMs) };
  }

  #refusal(error: string): SendOutcome {
    if (error === accountRestricted) return { kind: 'held', code: 'account_restricted', ...this.#restriction() };
    return {
      kind: 'refused',
      code: 'network_refused',
      reason: `WhatsApp refused the message (error ${cleanText(error, 20)})`,
    };
  }

  #await(networkId: string): Waiting {
    const { promise, resolve } = Promise.withResolvers<SendOutcome>();
    const timer = setTimeout(() => {
      waiting.settle({ kind: 'unknown', reason: 'WhatsApp did not confirm the message in time', isAttempted: true });
    }, this.#options.ackTimeoutMs);
    const waiting: Waiting = {
      outcome: promise,
      settle: (outcome) => {
        clearTimeout(timer);
        if (this.#waiting.get(networkId) === waiting) this.#waiting.delete(networkId);
        resolve(outcome);
      },
    };
    this.#waiting.set(networkId, waiting);
    return waiting;
  }
}

const restrictedReason = 'WhatsApp restricted this account: it may not write to new contacts for now';
const restrictionMs = 60 * 60_000;
