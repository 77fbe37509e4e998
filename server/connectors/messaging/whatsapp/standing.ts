import { setTimeout as delay } from 'node:timers/promises';
import type { ReachoutTimelockState, WASocket } from 'baileys';
import { z } from 'zod';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { StandingSignal, TimeLock } from '../port.ts';

type StandingSocket = Pick<WASocket, 'fetchAccountReachoutTimelock' | 'fetchNewChatMessageCap' | 'ev'>;

export type StandingOptions = {
  clock: Clock;
  logger: Logger;
  onSignal(signal: StandingSignal): Promise<void>;
};

const capEveryMs = 6 * 60 * 60_000;
/** After a cycle has ended its successor is asked for. */
const cycleMarginMs = 60_000;
/** An answer serves all messages that are refused at the same moment. */
const sharedMs = 5_000;

const answerMs = 5_000;

function withinTime<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  const timeout = delay(answerMs, undefined, { ref: false }).then(() => {
    throw new Error('WhatsApp did not answer in time');
  });
  return Promise.race([answer, timeout]);
}

/** Numbers come as texts, and times in seconds. */
const CapInfo = z.object({
  total_quota: z.coerce.number(),
  used_quota: z.coerce.number().default(0),
  capping_status: z.string().nullable().default(null),
  cycle_end_timestamp: z.coerce.number().optional(),
});

/**
 * Asks WhatsApp how it judges the account: whether new chats are locked, and how much of the cap on them is used. A
 * missing answer means unknown, and nothing waits for it for long.
 */
export class Standing {
  readonly #options: StandingOptions;
  #socket: StandingSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAnswer: { atMs: number; timeLock: Promise<TimeLock | undefined> } | undefined;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** The connection is open. */
  opened(socket: StandingSocket): void {
    this.#socket = socket;
    // The push only says that the cap changed; its full state is asked for.
    socket.ev.on('message-capping.update', () => void this.#askCap());
    void this.#askCap();
    void this.#askTimeLock().then((lock) => (lock?.isActive ? this.#noteLock(lock) : undefined));
  }

  /** WhatsApp pushed that new chats are locked, or no longer. */
  async told({ isActive, timeEnforcementEnds }: Partial<ReachoutTimelockState>): Promise<void> {
    if (isActive !== undefined) await this.#noteLock({ isActive, endsAt: timeEnforcementEnds ?? null });
  }

  /** A message was refused as new chats are capped: they are, whatever the cap says of itself. */
  async capped(): Promise<void> {
    const cap = await this.#fetchCap().catch(() => undefined);
    const { used = 0, total = 0, endsAt = null } = cap ?? {};
    await this.#options.onSignal({ kind: 'cap', status: 'CAPPED', used, total: Math.max(0, total), endsAt });
  }

  async #noteLock(timeLock: TimeLock): Promise<void> {
    await this.#options.onSignal({ kind: 'time_lock', timeLock }).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'a lock of new chats could not be noted');
    });
  }

  async #fetchCap(): Promise<{ status: string | null; used: number; total: number; endsAt: Date | null } | undefined> {
    if (!this.#socket) return undefined;
    const cap = CapInfo.parse(await withinTime(this.#socket.fetchNewChatMessageCap()));
    const endsAt = cap.cycle_end_timestamp ? new Date(cap.cycle_end_timestamp * 1000) : null;
    return { status: cap.capping_status, used: cap.used_quota, total: cap.total_quota, endsAt };
  }

  closed(): void {
    this.#socket = undefined;
    this.#lastAnswer = undefined;
    clearTimeout(this.#timer);
  }

  /** A message was refused with error 463; undefined where WhatsApp does not say whether that is a lock. */
  async refused(): Promise<TimeLock | undefined> {
    const nowMs = this.#options.clock.now().getTime();
    if (!this.#lastAnswer || nowMs - this.#lastAnswer.atMs > sharedMs) {
      this.#lastAnswer = { atMs: nowMs, timeLock: this.#askTimeLock() };
      void this.#askCap();
    }
    return this.#lastAnswer.timeLock;
  }

  async #askTimeLock(): Promise<TimeLock | undefined> {
    try {
      const answer = await withinTime(this.#socket?.fetchAccountReachoutTimelock());
      // The kinds of locks are not all known to the library: what counts is whether it is active, and until when.
      return answer && { isActive: answer.isActive ?? false, endsAt: answer.timeEnforcementEnds ?? null };
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'WhatsApp did not say whether new chats are locked');
      return undefined;
    }
  }

  async #askCap(): Promise<void> {
    const socket = this.#socket;
    if (!socket) return;
    clearTimeout(this.#timer);
    let nextMs = capEveryMs;
    try {
      const cap = await this.#fetchCap();
      if (cap) await this.#options.onSignal({ kind: 'cap', ...cap });
      const leftMs = (cap?.endsAt?.getTime() ?? 0) - this.#options.clock.now().getTime();
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs + cycleMarginMs);
    } catch (error) {
      this.#options.logger.info({ err: error }, 'WhatsApp did not name the cap on new chats');
    }
    if (this.#socket !== socket) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askCap(), nextMs);
    this.#timer.unref();
  }
}
