import { pauseAfter } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';

const pauses = { firstMs: 15 * 60_000, longestMs: 24 * 60 * 60_000 };

/** WhatsApp answered questions with 429: nothing more is asked before `until`. */
export class LookUpsPausedError extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('WhatsApp answers no more questions about numbers for now');
    this.name = 'LookUpsPausedError';
    this.until = until;
  }
}

/** Stops asking WhatsApp about numbers once it answers 429: for 15 minutes, doubling each time in a row up to a day. */
export class LookUpBreaker {
  readonly #clock: Clock;
  #pausedUntilMs = 0;
  #trips = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isPaused(): boolean {
    return this.#clock.now().getTime() < this.#pausedUntilMs;
  }

  /** Asks, unless it is paused. Throws `LookUpsPausedError` then, and where the answer is 429. */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isPaused) throw new LookUpsPausedError(new Date(this.#pausedUntilMs));
    try {
      const answer = await ask();
      this.#trips = 0;
      return answer;
    } catch (error) {
      if (!isTooMany(error)) throw error;
      throw this.#trip();
    }
  }

  /** Questions that were under way together count once. */
  #trip(): LookUpsPausedError {
    if (!this.isPaused) {
      this.#trips += 1;
      const pauseMs = pauseAfter(this.#trips, pauses);
      this.#pausedUntilMs = this.#clock.now().getTime() + pauseMs;
    }
    return new LookUpsPausedError(new Date(this.#pausedUntilMs));
  }
}

/** Baileys puts the code of an answer's error beside its own status. */
function isTooMany(error: unknown): boolean {
  return error instanceof Error && 'data' in error && Number(error.data) === 429;
}
