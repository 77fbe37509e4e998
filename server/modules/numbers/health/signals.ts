import type { TimeLock as NetworkTimeLock } from '#server/connectors/messaging/port.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { AllowanceDay } from './allowance-day.ts';
import { isNothingDelivered } from './health.ts';
import type { ContactKind, Fates, PhoneHealth, Scope } from './health.ts';
import { dayBefore, link } from './warm-up.ts';

/** WhatsApp's answer to whether it holds back new chats; undefined where it did not say. */
type TimeLock = NetworkTimeLock | undefined;

/** An event that changes how a phone may send. */
export type HealthSignal =
  /** Scanned, not merely connected again. */
  | { kind: 'linked' }
  /** Error 463 for a message to such a contact; `knownRefused`: to how many known ones within an hour, this one included. */
  | { kind: 'refused'; contact: ContactKind; timeLock: TimeLock; knownRefused: number }
  /** Asked or told without a refusal. */
  | { kind: 'time_lock'; timeLock: NonNullable<TimeLock> }
  | { kind: 'cap'; status: string | null; used: number; total: number; endsAt: Date | null }
  /** Failure 402. */
  | { kind: 'locked'; until: Date; reason: string }
  | { kind: 'canary_sent' }
  | { kind: 'canary_delivered' };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** We wait for longer than WhatsApp asks: its clock need not be ours. */
const marginMs = 10 * minuteMs;
/** So many known contacts that are refused within an hour are not to blame themselves. */
const mostKnownRefused = 3;
const ceilingMs = 56 * dayMs;
const thirdLockMs = 30 * dayMs;
/** A lock that comes at fewer, which the first day of the warm-up allows, has another cause than their number. */
const leastCeiling = 10;

export function applySignal(health: PhoneHealth, signal: HealthSignal, now: Date, day: AllowanceDay): PhoneHealth {
  switch (signal.kind) {
    case 'linked':
      return link(health, now, day.key);
    case 'refused':
      return refuse(health, signal, now);
    case 'time_lock':
      return signal.timeLock.isActive && !isOver(signal.timeLock, now)
        ? timeLocked(health, signal.timeLock, now)
        : health;
    case 'cap':
      return { ...health, cap: readCap(signal, now) };
    case 'locked': {
      const lock = { until: signal.until, reason: signal.reason };
      return { ...health, lockedAt: beginOfLock(health, now), lock, recovery: canary('all') };
    }
    case 'canary_sent':
      if (health.recovery?.step !== 'canary') return health;
      return { ...health, recovery: { ...health.recovery, sentAt: now } };
    case 'canary_delivered':
      if (health.recovery?.step !== 'canary') return health;
      return { ...health, recovery: { step: 'share', scope: health.recovery.scope, since: day.key }, judgedFrom: now };
    default:
      return assertNever(signal);
  }
}

/** The ceiling that holds at a moment: how many first contacts of 24 hours brought a lock within the last eight weeks. */
export const ceilingAt = ({ ceiling }: PhoneHealth, now: Date): PhoneHealth['ceiling'] =>
  ceiling !== null && now.getTime() - ceiling.at.getTime() < ceilingMs ? ceiling : null;

/** A lock that has just begun came at so many first contacts of 24 hours: later ones stay below. */
export function rememberCeiling(before: PhoneHealth, after: PhoneHealth, firstsOfDay: number, now: Date): PhoneHealth {
  if (after.lockedAt?.getTime() === before.lockedAt?.getTime() || firstsOfDay === 0) return after;
  const firsts = Math.max(leastCeiling, Math.min(firstsOfDay, ceilingAt(before, now)?.firsts ?? Infinity));
  return { ...after, ceiling: { firsts, at: now } };
}

/** The same lock may be told of more than once. */
function beginOfLock({ lock, limit, lockedAt }: PhoneHealth, now: Date): Date {
  const isLocked = (lock !== null && lock.until > now) || (limit !== null && limit.until > now);
  return isLocked && lockedAt !== null ? lockedAt : now;
}

const canary = (scope: Scope) => ({ step: 'canary', scope, sentAt: null }) as const;

function limited(health: PhoneHealth, now: Date, limit: NonNullable<PhoneHealth['limit']>): PhoneHealth {
  // Two limits at once: whom either stops is stopped, for as long as the longer one lasts.
  const earlier = health.limit !== null && health.limit.until > now ? health.limit : null;
  const longer = earlier !== null && earlier.until > limit.until ? earlier : limit;
  const scope = earlier?.scope === 'all' ? 'all' : limit.scope;
  // The last step of the warm-up led to this limit, and the phone does not return to it at once. After a lock the
  // ceiling says more exactly how much was too much.
  const takesStepBack = earlier === null && limit.code !== 'time_lock';
  const rampDay = takesStepBack ? dayBefore(health.rampDay) : health.rampDay;
  return { ...health, rampDay, limit: { ...longer, scope }, recovery: canary(scope) };
}

/** The network goes on naming a lock after its end; only a refusal tells that it holds all the same. */
const isOver = ({ endsAt }: NonNullable<TimeLock>, now: Date) =>
  endsAt !== null && endsAt.getTime() + marginMs <= now.getTime();

function timeLocked(health: PhoneHealth, { endsAt }: NonNullable<TimeLock>, now: Date): PhoneHealth {
  const until = endsAt === null || isOver({ isActive: true, endsAt }, now) ? new Date(now.getTime() + dayMs) : endsAt;
  const locked = { ...health, lockedAt: beginOfLock(health, now) };
  const ends = Math.max(until.getTime(), restAfterSecond(health, locked));
  return limited(locked, now, { until: new Date(ends + marginMs), scope: 'first', code: 'time_lock' });
}

/**
 * After a second lock within 30 days nobody new is written to until the first one is as long ago: a third one is mostly a ban.
 * In ms; a phone without protection rests as long as the network says.
 */
function restAfterSecond({ isProtected, lockedAt: before }: PhoneHealth, { lockedAt }: PhoneHealth): number {
  const isSecond = before !== null && lockedAt !== null && lockedAt > before;
  return isSecond && isProtected ? before.getTime() + thirdLockMs : 0;
}

const longestLockMs = 7 * dayMs;

/** Whether new chats rest for longer than any lock lasts. */
export const isRestAfterSecond = ({ limit, lockedAt }: PhoneHealth): boolean =>
  limit !== null && lockedAt !== null && limit.until.getTime() - lockedAt.getTime() > longestLockMs;

function refuse(health: PhoneHealth, signal: Extract<HealthSignal, { kind: 'refused' }>, now: Date): PhoneHealth {
  const { contact, timeLock, knownRefused } = signal;
  const dayOn = new Date(now.getTime() + dayMs);
  if (contact === 'known') {
    // Without a lock it is about that contact alone, as long as it is not about several.
    if (!timeLock?.isActive && knownRefused < mostKnownRefused) return health;
    const end = timeLock?.isActive ? timeLock.endsAt : null;
    const until = end !== null && end > now ? new Date(end.getTime() + marginMs) : dayOn;
    const refused = { ...health, refusedAt: now, ...(timeLock?.isActive && { lockedAt: beginOfLock(health, now) }) };
    return limited(refused, now, { until, scope: 'all', code: 'known_refused' });
  }
  if (timeLock?.isActive) return timeLocked({ ...health, refusedAt: now }, timeLock, now);
  const isSecond = health.refusedAt !== null && now.getTime() - health.refusedAt.getTime() < dayMs;
  const refused = { ...health, refusedAt: now };
  return isSecond ? limited(refused, now, { until: dayOn, scope: 'first', code: 'refused_twice' }) : refused;
}

/** Asked before every queued send: where nothing arrives any more, nothing more is sent. */
export function judgeDeliveries(health: PhoneHealth, fates: Fates, now: Date): PhoneHealth {
  const isAtRest = health.recovery?.step === 'canary' || (health.limit !== null && health.limit.until > now);
  if (isAtRest || !isNothingDelivered(fates)) return health;
  const until = new Date(now.getTime() + dayMs);
  return limited({ ...health, judgedFrom: now }, now, { until, scope: 'all', code: 'nothing_delivered' });
}

type CapSignal = Extract<HealthSignal, { kind: 'cap' }>;

/** A total of −1 is no cap. */
function readCap({ status, used, total, endsAt }: CapSignal, askedAt: Date): PhoneHealth['cap'] {
  return total < 0 ? null : { status, used, total, endsAt, askedAt };
}
