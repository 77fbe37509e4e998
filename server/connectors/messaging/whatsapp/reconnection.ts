import type { SessionState } from '../port.ts';
import { ConnectionAttempts } from './connection-attempts.ts';
import type { SessionEnvironment } from './session-environment.ts';

const maxWaitMs = 60 * 60_000;

export type Pace = 'paced' | 'at_once';

type ReconnectionOptions = {
  environment: SessionEnvironment;
  connect(pace: Pace): Promise<void>;
  onState(state: SessionState): void;
};

/** When a session connects again, and what is said of it meanwhile: each reason once. */
export class Reconnection {
  readonly #options: ReconnectionOptions;
  readonly #attempts: ConnectionAttempts;
  #timer: NodeJS.Timeout | undefined;
  #reason: string | undefined;

  constructor(options: ReconnectionOptions) {
    this.#options = options;
    this.#attempts = new ConnectionAttempts(options.environment);
  }

  /** The connection is open: it proves itself from now on. */
  opened(): void {
    this.#attempts.opened();
    this.#reason = undefined;
  }

  /** The session waits for somebody to link a phone. */
  codeShown(): void {
    this.#attempts.codeShown();
    this.#reason = undefined;
  }

  /** Answers how often in a row connections ended with this code. */
  closed(code: number): number {
    return this.#attempts.closed(code);
  }

  connect(reason: string, wait: 'none' | 'backoff'): void {
    const delayMs = this.#attempts.nextDelayMs(wait);
    if (wait === 'backoff') this.#tell(reason);
    this.#connectIn(delayMs, wait === 'none' ? 'at_once' : 'paced');
  }

  /** The database was away, or busy. */
  connectAfterOwnFault(reason: string): void {
    this.#tell(reason, { isOurs: true });
    this.#connectIn(this.#attempts.nextOwnDelayMs(), 'paced');
  }

  /** Looks every hour at the most: a timer for many days would fire at once, and clocks are set. */
  connectAt(until: Date, reason: string): void {
    this.#tell(reason);
    const leftMs = until.getTime() - this.#options.environment.clock.now().getTime();
    if (leftMs <= maxWaitMs) return this.#connectIn(Math.max(0, leftMs), 'paced');
    this.#timer = setTimeout(() => this.connectAt(until, reason), maxWaitMs);
  }

  /** Cancels the connection attempt that is waiting. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Forgets what has been. */
  reset(): void {
    this.#attempts.reset();
  }

  #connectIn(delayMs: number, pace: Pace): void {
    this.#timer = setTimeout(() => void this.#options.connect(pace), delayMs);
  }

  #tell(reason: string, more: { isOurs?: boolean } = {}): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#options.onState({ status: 'reconnecting', reason, ...more });
  }
}
