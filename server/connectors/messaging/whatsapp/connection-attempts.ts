import { reconnectDelayMs } from './backoff.ts';
import type { Growth } from '#server/platform/backoff.ts';

export type AttemptOptions = {
  backoff: Growth;
  /** How long a connection has to stand until what was before it counts no more. */
  stableMs: number;
  /** From 0 to 1. */
  random(): number;
};

/** Counts the connections of one phone that did not last, and says how long to wait before the next. */
export class ConnectionAttempts {
  readonly #options: AttemptOptions;
  #attempts = 0;
  #lastCode: number | undefined;
  #repeats = 0;
  #stable: NodeJS.Timeout | undefined;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** The connection is open: it proves itself from now on. */
  opened(): void {
    clearTimeout(this.#stable);
    this.#stable = setTimeout(() => this.reset(), this.#options.stableMs);
  }

  /** Answers how often in a row connections ended with this code. */
  closed(code: number): number {
    clearTimeout(this.#stable);
    this.#repeats = code === this.#lastCode ? this.#repeats + 1 : 1;
    this.#lastCode = code;
    return this.#repeats;
  }

  /** After a failure that WhatsApp has no part in: soon, and it counts for nothing. */
  nextOwnDelayMs(): number {
    return reconnectDelayMs(this.#options.backoff, 1, this.#options.random());
  }

  /** At once, but only the first time: a server that keeps asking for it must not be hammered. */
  nextDelayMs(wait: 'none' | 'backoff'): number {
    const isAtOnce = wait === 'none' && this.#attempts === 0;
    const delayMs = isAtOnce ? 0 : reconnectDelayMs(this.#options.backoff, this.#attempts, this.#options.random());
    this.#attempts += 1;
    return delayMs;
  }

  /** A code is shown: the next connection need not wait, but a pairing that keeps failing is one all the same. */
  codeShown(): void {
    this.#attempts = 0;
  }

  reset(): void {
    clearTimeout(this.#stable);
    this.#attempts = 0;
    this.#repeats = 0;
  }
}
