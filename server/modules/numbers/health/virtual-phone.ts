import type { AllowanceDay } from './allowance-day.ts';
import { allowanceDay } from './allowance-day.ts';
import { assess, endRecovery, isWell } from './assess.ts';
import type { ContactKind, Fates, PhoneHealth } from './health.ts';
import { drawGapMs, maySend } from './may-send.ts';
import type { Moment, Recipient, SendHistory, Sender, Verdict } from './may-send.ts';
import { applySignal, rememberCeiling } from './signals.ts';
import type { HealthSignal } from './signals.ts';
import { warmUpTo } from './warm-up.ts';

/** Where a phone stands when a course is computed ahead from it. */
export type StartingPoint = Sender & { startsAt: Date };

/** A phone in virtual time: it decides as the real one does, and remembers what it would have sent. */
export type VirtualPhone = {
  readonly health: PhoneHealth;
  ask(recipient: Recipient, now: Date): Verdict;
  send(contact: ContactKind, now: Date): void;
  take(signal: HealthSignal, now: Date): void;
};

const dayMs = 24 * 60 * 60_000;

type Options = { timeZone: string; random: () => number; fatesAt?: (now: Date) => Partial<Fates> };

export function createVirtualPhone(start: StartingPoint, { timeZone, random, fatesAt }: Options): VirtualPhone {
  const sent: Record<ContactKind, number[]> = { first: [], known: [] };
  const startDay = allowanceDay(start.startsAt, timeZone);
  let { health } = start;
  let { firstGapEndsAt, gapEndsAt } = start.history;
  let day: AllowanceDay = startDay;

  function sinceMs(kind: ContactKind, fromMs: number): number {
    const index = sent[kind].findLastIndex((at) => at < fromMs);
    return sent[kind].length - 1 - index;
  }

  function fatesOf(now: Date): Fates {
    const askedAt = health.cap?.askedAt.getTime();
    const firstsSinceCap = askedAt === undefined ? 0 : sinceMs('first', askedAt);
    const isFirstDay = now.getTime() - start.startsAt.getTime() < dayMs;
    const earlier = isFirstDay ? start.fates.firstsOfDay : 0;
    // Nothing else asks for it.
    const firstsOfDay = health.ceiling === null ? 0 : earlier + sinceMs('first', now.getTime() - dayMs);
    return { ...start.fates, firstsSinceCap, firstsOfDay, ...fatesAt?.(now) };
  }

  const last = (kind: ContactKind, place: number): Date | null => {
    const at = sent[kind].at(-place);
    return at === undefined ? null : new Date(at);
  };

  function historyOf(): SendHistory {
    const before = day.key === startDay.key ? start.history.today : { first: 0, known: 0 };
    const from = day.startsAt.getTime();
    return {
      today: { first: before.first + sinceMs('first', from), known: before.known + sinceMs('known', from) },
      first30th: last('first', 30) ?? start.history.first30th,
      known8th: last('known', 8) ?? start.history.known8th,
      known200th: last('known', 200) ?? start.history.known200th,
      firstGapEndsAt,
      gapEndsAt,
      isSending: false,
    };
  }

  function momentAt(now: Date): Moment {
    if (now >= day.endsAt) {
      day = allowanceDay(now, timeZone);
      const fates = fatesOf(now);
      health = endRecovery(warmUpTo(health, day, { isWell: isWell(assess(health, fates, now)), fates }), day);
    }
    return { now, day, timeZone };
  }

  return {
    get health() {
      return health;
    },
    ask(recipient, now) {
      const moment = momentAt(now);
      return maySend({ ...start, health, fates: fatesOf(now), history: historyOf() }, recipient, moment);
    },
    send(contact, now) {
      sent[contact].push(now.getTime());
      health = { ...health, idleFrom: now };
      const gapMs = drawGapMs(contact, random);
      if (contact === 'first') firstGapEndsAt = new Date(now.getTime() + gapMs);
      gapEndsAt = new Date(now.getTime() + (contact === 'first' ? drawGapMs('known', random) : gapMs));
    },
    take(signal, now) {
      const after = applySignal(health, signal, now, momentAt(now).day);
      health = rememberCeiling(health, after, sinceMs('first', now.getTime() - dayMs), now);
    },
  };
}
