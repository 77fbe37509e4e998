/** Faults to simulate. */
import type { HistoryShape } from './history.ts';

/**
 * How the server answers a message:
 * - `ack`: takes it and says so;
 * - `lost_ack`: takes it and hands it on, but the answer never arrives;
 * - `lost`: it never reached the server;
 * - `drop`: takes it, hands it on, and the connection breaks before the answer;
 * - a number: refuses it with that error (463: the account may not write).
 */
export type MessageAnswer = 'ack' | 'lost_ack' | 'lost' | 'drop' | number;

/** Answers messages to `to` (all when left out), the first `times` of them (all when left out), with `answer`. */
export type AnswerRule = { to?: string; times?: number; answer: MessageAnswer };

export type Faults = {
  /** Before every answer to a request and every ack; requests are taken meanwhile. */
  latencyMs: number;
  answersPings: boolean;
  /** Tells LIDs in its answers. Without them the client cannot encrypt. */
  tellsLids: boolean;
  /** The handset shares its (empty) history after linking. */
  sharesHistory: boolean;
  /** And then one with so much in it, as a file. */
  history: HistoryShape | undefined;
  /** Its files cannot be had for now. */
  refusesHistories: boolean;
  /** Refuses the WebSocket with this HTTP status. */
  refuseUpgrades: number | undefined;
  /** Answers a login at all. */
  answersLogins: boolean;
  /** Confirmations from devices never arrive: all their messages come again at the next login. */
  losesConfirmations: boolean;
  /** How many QR codes a connection may show before it is closed. */
  qrCodes: number;
  /** Refuses questions whether numbers are on WhatsApp with this error (429: too many). */
  lookUpError: number | undefined;
  /** Refuses questions about people's devices with this error. */
  devicesError: number | undefined;
  /** Refuses questions about people's keys with this error. */
  keysError: number | undefined;
};

export const noFaults: Faults = {
  latencyMs: 0,
  answersPings: true,
  tellsLids: true,
  sharesHistory: true,
  history: undefined,
  refusesHistories: false,
  refuseUpgrades: undefined,
  answersLogins: true,
  losesConfirmations: false,
  qrCodes: 6,
  lookUpError: undefined,
  devicesError: undefined,
  keysError: undefined,
};

/** The rules in force, the newest first; used-up rules go away. */
export class AnswerRules {
  #rules: AnswerRule[] = [];

  add(rule: AnswerRule): void {
    this.#rules.unshift({ ...rule });
  }

  clear(): void {
    this.#rules = [];
  }

  answerFor(to: string): MessageAnswer {
    const rule = this.#rules.find((candidate) => candidate.to === undefined || candidate.to === to);
    if (!rule) return 'ack';
    if (rule.times !== undefined) {
      rule.times -= 1;
      if (rule.times <= 0) this.#rules = this.#rules.filter((other) => other !== rule);
    }
    return rule.answer;
  }
}

/** The ways in which the server or the network ends a connection. */
export type CloseKind =
  | 'replaced'
  | 'stream_500'
  | 'stream_503'
  | 'stream_515'
  | 'stream_ack'
  | 'malformed'
  | 'stream_end'
  | 'downgrade'
  | 'failure_402'
  | 'failure_403'
  | 'failure_405'
  | 'failure_406'
  | 'failure_409'
  | 'failure_418'
  | 'failure_503'
  | 'drop'
  | 'close';
