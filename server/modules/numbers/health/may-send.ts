import type { AllowanceDay } from './allowance-day.ts';
import { allowancesOf, capShare, concerns, isAtCeiling, restEnd } from './assess.ts';
import { nextDaytime } from './daytime.ts';
import type { ContactKind, Fates, PhoneHealth } from './health.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How fast queued messages go, by whom they go to: `perHour` and `perMinute` in any hour and minute. */
export const pace = {
  first: { gapMs: [45 * secondMs, 120 * secondMs], perHour: 30 },
  known: { gapMs: [3 * secondMs, 8 * secondMs], perMinute: 8, perHour: 200 },
} as const;

/** A canary of which nothing was heard for this long is followed by another. */
const canaryMs = 24 * hourMs;

/** The sends of a phone that the next message depends on. */
export type SendHistory = {
  /** Counted since the day of allowances began: different numbers that were written to first, and messages to known ones. */
  today: { first: number; known: number };
  /** When the 30th last first contact went out, and the 8th and the 200th last message to a known one; null: fewer did. */
  first30th: Date | null;
  known8th: Date | null;
  known200th: Date | null;
  /** When the gap after the last first contact, and that after the last message of either kind, is over. */
  firstGapEndsAt: Date | null;
  gapEndsAt: Date | null;
  /** A queued message is on its way to the network. */
  isSending: boolean;
};

export const noHistory: SendHistory = {
  today: { first: 0, known: 0 },
  first30th: null,
  known8th: null,
  known200th: null,
  firstGapEndsAt: null,
  gapEndsAt: null,
  isSending: false,
};

export type Sender = {
  health: PhoneHealth;
  fates: Fates;
  history: SendHistory;
  maxDaily: number;
};

export type Recipient = {
  contact: ContactKind;
  /** Two letters; undefined where the number has none. */
  country: string | undefined;
  /** WhatsApp refused it and it has not written since, be it that it had before: it has to write first. */
  mustWriteFirst: boolean;
};

export type Moment = { now: Date; day: AllowanceDay; timeZone: string };

export type Hold =
  | 'locked'
  | 'limited'
  | 'capped'
  | 'canary'
  | 'linked_recently'
  | 'allowance'
  | 'hourly'
  | 'night'
  | 'gap'
  | 'in_flight';

/** `at` is the earliest moment to ask again; nothing is promised for then. */
export type Verdict = { kind: 'now' } | { kind: 'later'; at: Date; why: Hold } | { kind: 'never' };

/** The gravest first: what is held for several reasons is told the first of them that lasts longest. */
const nothing: readonly [Date | null | undefined, Hold][] = [];

/**
 * Whether this phone may send this queued message now, and if not, when to ask again. The one place that decides it:
 * what hands messages to phones asks, what claims them for sending asks once more, and forecasts ask in virtual time.
 */
export function maySend(sender: Sender, recipient: Recipient, moment: Moment): Verdict {
  const { health } = sender;
  if (recipient.mustWriteFirst) return { kind: 'never' };
  const holds = [
    ...ofNetwork(health, recipient.contact),
    ...(health.isProtected ? ofProtection(sender, recipient, moment) : nothing),
  ];
  const lasting = holds.flatMap(([at, why]) => (at && at > moment.now ? [{ at, why }] : []));
  const longest = lasting.reduce<(typeof lasting)[number] | undefined>(
    (best, hold) => (best === undefined || hold.at > best.at ? hold : best),
    undefined,
  );
  return longest ? { kind: 'later', ...longest } : { kind: 'now' };
}

type Holds = readonly [Date | null | undefined, Hold][];

/** Limits of WhatsApp hold whether the phone is protected or not: sending would only make things worse. */
function ofNetwork({ lock, limit }: PhoneHealth, contact: ContactKind): Holds {
  return [
    [lock?.until, 'locked'],
    [limit && concerns(limit.scope, contact) ? limit.until : null, 'limited'],
  ];
}

function ofProtection({ health, fates, history, maxDaily }: Sender, recipient: Recipient, moment: Moment): Holds {
  const { now, day, timeZone } = moment;
  const { contact, country } = recipient;
  const allowance = allowancesOf(health, { fates, day, now, maxDaily })[contact];
  const isCappedNow = contact === 'first' && capShare(health, fates, now) === 0;
  const isNight = contact === 'first' && health.hasQuietHours;
  return [
    [isCappedNow ? (health.cap?.endsAt ?? day.endsAt) : null, 'capped'],
    [contact === 'first' ? restEnd(health) : null, 'linked_recently'],
    [canaryEnd(health, contact), 'canary'],
    [history.today[contact] >= allowance ? day.endsAt : null, 'allowance'],
    [history.today.first + history.today.known >= maxDaily ? day.endsAt : null, 'allowance'],
    [contact === 'first' && isAtCeiling(health, fates, now) ? new Date(now.getTime() + hourMs) : null, 'allowance'],
    ...hourly(history, contact),
    [isNight ? nextDaytime(country, timeZone, now) : null, 'night'],
    [contact === 'first' ? history.firstGapEndsAt : null, 'gap'],
    [history.gapEndsAt, 'gap'],
    [history.isSending ? new Date(now.getTime() + secondMs) : null, 'in_flight'],
  ];
}

function hourly({ first30th, known8th, known200th }: SendHistory, contact: ContactKind): Holds {
  const after = (at: Date | null, windowMs: number) => at && new Date(at.getTime() + windowMs);
  if (contact === 'first') return [[after(first30th, hourMs), 'hourly']];
  return [
    [after(known8th, minuteMs), 'hourly'],
    [after(known200th, hourMs), 'hourly'],
  ];
}

function canaryEnd({ recovery }: PhoneHealth, contact: ContactKind): Date | null {
  if (recovery?.step !== 'canary' || !recovery.sentAt || !concerns(recovery.scope, contact)) return null;
  return new Date(recovery.sentAt.getTime() + canaryMs);
}

/** How long the phone pauses after a message to such a contact; `random` gives 0 to below 1. */
export function drawGapMs(contact: ContactKind, random: () => number): number {
  const [least, most] = pace[contact].gapMs;
  return Math.round(least + random() * (most - least));
}
