import type { PhoneHealthCode, PhoneHealthState } from '#contracts/phone-health.ts';
import type { AllowanceDay } from './allowance-day.ts';
import { isOftenOptedOut, isPoorlyDelivered } from './health.ts';
import type { ContactKind, Fates, PhoneHealth, Scope } from './health.ts';
import { ceilingAt } from './signals.ts';
import { stepOfDay, warmDay } from './warm-up.ts';
import type { Allowances } from './warm-up.ts';

/** How a phone stands now; `until` where that ends by itself at a known time. */
export type Assessment = {
  state: PhoneHealthState;
  code: PhoneHealthCode | null;
  until: Date | null;
  scope: Scope | null;
};

const dayMs = 24 * 60 * 60_000;
const strictMs = 28 * dayMs;

/** How long after linking nobody new is written to. */
export const restAfterLinkingMs = dayMs;

/** How a phone stands: the gravest thing that holds now. */
export function assess(health: PhoneHealth, fates: Fates, now: Date): Assessment {
  const { lock, limit, recovery, cap } = health;
  if (lock && lock.until > now) return { state: 'locked', code: 'account_locked', until: lock.until, scope: 'all' };
  if (limit && limit.until > now) return { state: 'limited', code: limit.code, until: limit.until, scope: limit.scope };
  if (capShare(health, fates, now) === 0)
    return { state: 'capped', code: 'new_chat_cap', until: cap?.endsAt ?? null, scope: 'first' };
  if (recovery?.step === 'canary') return watch('canary', recovery.scope);
  if (isPoorlyDelivered(fates)) return watch('few_delivered', 'all');
  if (isOftenOptedOut(fates)) return watch('many_opted_out', 'all');
  const { overshotUntil } = health;
  if (overshotUntil && overshotUntil > now) return { ...watch('over_allowance', 'first'), until: overshotUntil };
  if (recovery) return watch('recovering', recovery.scope);
  if (capShare(health, fates, now) < 1) return watch('cap_warning', 'first');
  const restsUntil = restEnd(health);
  if (restsUntil && restsUntil > now)
    return { state: 'warming', code: 'linked_recently', until: restsUntil, scope: 'first' };
  if (health.linkedAt !== null && health.rampDay < warmDay) {
    return { state: 'warming', code: 'warming_up', until: null, scope: null };
  }
  return { state: 'healthy', code: null, until: null, scope: null };
}

const watch = (code: PhoneHealthCode, scope: Scope): Assessment => ({ state: 'watch', code, until: null, scope });

/** From so many times the allowance of first contacts on, which direct messages alone can reach, a phone is watched. */
const overshotFrom = 2;

/** The health after too many direct messages to strangers: the phone is watched until the day of allowances is over. */
export function noteOvershoot(
  health: PhoneHealth,
  sender: { fates: Fates; history: { today: { first: number } }; maxDaily: number },
  { now, day }: { now: Date; day: AllowanceDay },
): PhoneHealth {
  const { first: allowed } = allowancesOf(health, { ...sender, now, day });
  const isOver = health.isProtected && health.linkedAt !== null && sender.history.today.first >= overshotFrom * allowed;
  if (!isOver || health.overshotUntil?.getTime() === day.endsAt.getTime() || sender.history.today.first === 0)
    return health;
  return { ...health, overshotUntil: day.endsAt };
}

/** Whether the warm-up goes on in this state. */
export const isWell = ({ state }: Assessment) => state === 'healthy' || state === 'warming';

/** Until when nobody new is written to after linking; undefined where that does not apply. */
export function restEnd({ linkedAt, isOlderAccount }: PhoneHealth): Date | undefined {
  return linkedAt === null || isOlderAccount ? undefined : new Date(linkedAt.getTime() + restAfterLinkingMs);
}

/**
 * The share of the allowance that the cap on new chats leaves: half from 80 % or the first warning on, a tenth from the
 * second, and nothing once it is reached. A cycle that has ended caps nothing; one without an end does until WhatsApp
 * says otherwise.
 */
export function capShare({ cap }: PhoneHealth, { firstsSinceCap }: Fates, now: Date): 0 | 0.1 | 0.5 | 1 {
  if (!cap || (cap.endsAt !== null && cap.endsAt <= now)) return 1;
  const used = cap.used + firstsSinceCap;
  if (cap.status === 'CAPPED' || used >= cap.total) return 0;
  if (cap.status === 'SECOND_WARNING') return 0.1;
  return cap.status === 'FIRST_WARNING' || used >= 0.8 * cap.total ? 0.5 : 1;
}

/** The number of messages that may go out on this day in all, unless something stops it: see `maySend`. */
export function allowancesOf(
  health: PhoneHealth,
  { fates, day, now, maxDaily }: { fates: Fates; day: AllowanceDay; now: Date; maxDaily: number },
): Allowances {
  const step = stepOfDay(health.linkedAt === null ? warmDay : health.rampDay);
  const watched = isPoorlyDelivered(fates) || isOftenOptedOut(fates) ? 0.5 : 1;
  const most = Math.min(step.first, belowCeiling(health, now));
  const shareOf = (kind: ContactKind) => watched * recoveryShare(health, kind, day);
  return {
    first: Math.min(maxDaily, portion(most, shareOf('first') * capShare(health, fates, now))),
    known: Math.min(maxDaily, portion(step.known, shareOf('known'))),
  };
}

/** The network may count any 24 hours, and a day of allowances begins amid one: two of them can lie close together. */
export const isAtCeiling = (health: PhoneHealth, { firstsOfDay }: Fates, now: Date): boolean =>
  firstsOfDay >= belowCeiling(health, now);

/** The most first contacts of 24 hours: less than 80 % of those that brought a lock, and after four weeks less than those. */
function belowCeiling(health: PhoneHealth, now: Date): number {
  const ceiling = ceilingAt(health, now);
  if (!ceiling) return Infinity;
  const share = now.getTime() - ceiling.at.getTime() < strictMs ? 0.8 : 1;
  return Math.max(1, Math.ceil(share * ceiling.firsts) - 1);
}

/** At least one, as long as it is not to be none. */
const portion = (whole: number, share: number) => (share === 0 ? 0 : Math.max(1, Math.floor(whole * share)));

/** A quarter on the first day after a limit, then doubling. */
function recoveryShare({ recovery }: PhoneHealth, kind: ContactKind, day: AllowanceDay): number {
  if (recovery?.step !== 'share' || !concerns(recovery.scope, kind)) return 1;
  const days = Math.round((Date.parse(day.key) - Date.parse(recovery.since)) / dayMs);
  return Math.min(1, 0.25 * 2 ** Math.max(0, days));
}

export const concerns = (scope: Scope, kind: ContactKind) => scope === 'all' || kind === 'first';

/** A recovery whose share has come back to the whole is over. */
export function endRecovery(health: PhoneHealth, day: AllowanceDay): PhoneHealth {
  const isWhole = health.recovery?.step === 'share' && recoveryShare(health, 'first', day) >= 1;
  return isWhole ? { ...health, recovery: null } : health;
}
