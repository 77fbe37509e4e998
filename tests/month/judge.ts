import type { TimeLock } from '#server/connectors/messaging/port.ts';
import type { Random } from '#tests/support/random.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** The conduct that a network bears of a number that writes to people who never wrote to it. Nobody outside knows it. */
export type Rules = {
  /** New chats in any 24 hours. */
  newPerDay: number;
  /** The least share of the last 30 first contacts that has to be delivered after an hour. */
  leastDelivered: number;
  /** The least share of first contacts that has to answer within a day, and of how many of the last ones. */
  leastAnswered: number;
  answersOf: number;
  /** The most first contacts of 24 hours with the same words. */
  mostAlike: number;
  lockHours: number;
};

/** A third lock within so many days is a ban. */
const banDays = 30;
const banAt = 3;
const deliveredOf = 30;

/** Rules as nobody knows them: about `newPerDay`, each other one about what is reported. */
export function drawRules(random: Random, newPerDay: number): Rules {
  return {
    newPerDay: newPerDay - 1 + random.below(3),
    leastDelivered: 0.56 + random.below(9) / 100,
    leastAnswered: 0.025 + random.below(11) / 1000,
    answersOf: 150 + random.below(101),
    mostAlike: 15 + random.below(11),
    lockHours: random.pick([24, 24, 48, 72]),
  };
}

/** A first contact, and what became of it; undefined: nothing. */
export type FirstContact = { at: number; deliveredAt?: number; answeredAt?: number; text: string };

/** Judges one number, each time anew by all that it did; a lock forgives nothing. */
export class Judge {
  locks = 0;
  isBanned = false;
  refused = 0;
  busiestDay = 0;
  readonly causes: string[] = [];
  readonly #rules: Rules;
  readonly #firsts: FirstContact[] = [];
  readonly #lockedAt: number[] = [];
  #lockedUntil = 0;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Takes a message to somebody new, or refuses it (463). */
  takeNew(first: FirstContact): 'accepted' | 'refused' {
    const { at } = first;
    const cause = at < this.#lockedUntil || this.isBanned ? undefined : this.#fault(first);
    if (cause !== undefined) this.#lock(at, cause);
    if (at < this.#lockedUntil || this.isBanned) {
      this.refused += 1;
      return 'refused';
    }
    this.#firsts.push(first);
    this.busiestDay = Math.max(this.busiestDay, this.#since(at - dayMs).length);
    return 'accepted';
  }

  /** Whether a message to somebody new would bring a lock, or meet one. */
  wouldRefuse(first: FirstContact): boolean {
    return first.at < this.#lockedUntil || this.isBanned || this.#fault(first) !== undefined;
  }

  timeLock(now: Date): TimeLock {
    const isActive = now.getTime() < this.#lockedUntil;
    return { isActive, endsAt: isActive ? new Date(this.#lockedUntil) : null };
  }

  cap(now: Date): { used: number; total: number; endsAt: Date } {
    const used = this.#since(now.getTime() - dayMs);
    const endsAt = new Date((used[0]?.at ?? now.getTime()) + dayMs);
    return { used: used.length, total: this.#rules.newPerDay, endsAt };
  }

  #fault({ at, text }: FirstContact): string | undefined {
    const { newPerDay, leastDelivered, leastAnswered, answersOf, mostAlike } = this.#rules;
    const today = this.#since(at - dayMs);
    if (today.length >= newPerDay) return 'many';
    if (today.filter((each) => each.text === text).length >= mostAlike) return 'alike';
    const settled = this.#firsts.filter((each) => each.at < at - hourMs).slice(-deliveredOf);
    const delivered = settled.filter(({ deliveredAt = Infinity }) => deliveredAt < at).length;
    if (settled.length === deliveredOf && delivered < leastDelivered * deliveredOf) return 'undelivered';
    const judged = this.#firsts.filter((each) => each.at < at - dayMs).slice(-answersOf);
    const answered = judged.filter((each) => (each.answeredAt ?? Infinity) < each.at + dayMs).length;
    return judged.length === answersOf && answered < leastAnswered * answersOf ? 'unanswered' : undefined;
  }

  #lock(at: number, cause: string): void {
    this.#lockedUntil = at + this.#rules.lockHours * hourMs;
    this.locks += 1;
    this.causes.push(cause);
    this.#lockedAt.push(at);
    this.isBanned ||= this.#lockedAt.filter((each) => each > at - banDays * dayMs).length >= banAt;
  }

  #since(from: number): FirstContact[] {
    const index = this.#firsts.findLastIndex(({ at }) => at <= from);
    return this.#firsts.slice(index + 1);
  }
}
