import { isUnanswered } from './health.ts';
import type { Fates, PhoneHealth } from './health.ts';

export type Allowances = { first: number; known: number };

/** From which day of the warm-up on a phone may write to how many a day. */
export const warmUp: readonly (Allowances & { fromDay: number })[] = [
  { fromDay: 1, first: 10, known: 100 },
  { fromDay: 4, first: 15, known: 200 },
  { fromDay: 8, first: 25, known: 300 },
  { fromDay: 15, first: 40, known: 500 },
  { fromDay: 22, first: 60, known: 800 },
  { fromDay: 29, first: 100, known: 1_000 },
];

const firstStep = { fromDay: 1, first: 10, known: 100 };

/** The day on which warming up is over. */
export const warmDay = 29;

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const idleStepMs = 72 * hourMs;
/** Beyond it every phone is back at the first step, or through. */
const mostDays = 60;

export function stepOfDay(rampDay: number): Allowances & { fromDay: number } {
  return warmUp.findLast(({ fromDay }) => fromDay <= rampDay) ?? firstStep;
}

/** The first day of the step before the one that a day belongs to. */
export function dayBefore(rampDay: number): number {
  const current = stepOfDay(rampDay);
  return warmUp.findLast(({ fromDay }) => fromDay < current.fromDay)?.fromDay ?? firstStep.fromDay;
}

/** Linked for the first time, or anew: an earlier warm-up begins again at half. */
export function link(health: PhoneHealth, now: Date, today: string): PhoneHealth {
  const rampDay = health.linkedAt === null ? 1 : Math.max(1, Math.floor(health.rampDay / 2));
  return { ...health, linkedAt: now, rampDay, rampOn: today, idleFrom: now };
}

/**
 * Carries the warm-up on to the day `today`: a day further for each that began, but none while the phone is not well or
 * nobody answers; for 72 idle hours a step back. However late it is asked, the answer is the same.
 */
export function warmUpTo(
  health: PhoneHealth,
  { key, startsAt }: { key: string; startsAt: Date },
  { isWell, fates }: { isWell: boolean; fates: Fates },
): PhoneHealth {
  if (health.linkedAt === null || health.rampOn === key) return health;
  if (health.rampOn === null) return { ...health, rampOn: key };
  const days = Math.min(mostDays, Math.round((Date.parse(key) - Date.parse(health.rampOn)) / dayMs));
  if (days <= 0) return health;
  let { rampDay } = health;
  let idleFromMs = (health.idleFrom ?? health.linkedAt).getTime();
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const boundaryMs = startsAt.getTime() - ago * dayMs;
    if (boundaryMs - idleFromMs >= idleStepMs) {
      rampDay = dayBefore(rampDay);
      idleFromMs += idleStepMs;
    } else if (isWell && !isUnanswered(fates)) {
      rampDay = Math.min(warmDay, rampDay + 1);
    }
  }
  return { ...health, rampDay, rampOn: key, idleFrom: new Date(idleFromMs) };
}
