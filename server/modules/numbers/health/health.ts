/** A contact is `known` to a phone once it has written to it; until then every message to it is a first contact. */
export type ContactKind = 'first' | 'known';

/** Whom a restriction stops: first contacts alone, or everybody. */
export type Scope = 'first' | 'all';

export type LimitCode = 'time_lock' | 'refused_twice' | 'known_refused' | 'nothing_delivered';

/** A phone's standing with its network; all that is stored of it, except for its sends. */
export type PhoneHealth = {
  /** Off: queued messages go as fast as they can, and nothing here holds them back. */
  isProtected: boolean;
  hasQuietHours: boolean;
  /** Its owner says that the account was in use long before it was linked. */
  isOlderAccount: boolean;
  linkedAt: Date | null;
  /** The day of the warm-up, from 1 on, and the day of allowances (YYYY-MM-DD) for which that was decided. */
  rampDay: number;
  rampOn: string | null;
  /** Since when it counts as idle: its last send, or the last step that idleness took back. */
  idleFrom: Date | null;
  limit: { until: Date; scope: Scope; code: LimitCode } | null;
  lock: { until: Date; reason: string } | null;
  /** After a limit: one message alone, then a share of the allowance that doubles daily. */
  recovery:
    | { step: 'canary'; scope: Scope; sentAt: Date | null }
    | { step: 'share'; scope: Scope; since: string }
    | null;
  /** The cap on new chats and what WhatsApp had counted towards it when it was asked; null is none. */
  cap: { status: string | null; used: number; total: number; endsAt: Date | null; askedAt: Date } | null;
  /** When WhatsApp last refused a first contact without a time-lock. */
  refusedAt: Date | null;
  /** Deliveries of sends before it are not judged: they led to a limit that is over. */
  judgedFrom: Date | null;
  /** When the network last began to lock it. */
  lockedAt: Date | null;
  /** How many first contacts of 24 hours the last lock came at, and when it came. */
  ceiling: { firsts: number; at: Date } | null;
  /** Until when twice the day's allowance of first contacts, or more, is used. */
  overshotUntil: Date | null;
};

export const newHealth: PhoneHealth = {
  isProtected: true,
  hasQuietHours: true,
  isOlderAccount: false,
  linkedAt: null,
  rampDay: 1,
  rampOn: null,
  idleFrom: null,
  limit: null,
  lock: null,
  recovery: null,
  cap: null,
  refusedAt: null,
  judgedFrom: null,
  lockedAt: null,
  ceiling: null,
  overshotUntil: null,
};

/** A stranger has so long to answer before the silence counts: many answer in the evening what came in the morning. */
export const timeToAnswerMs = 24 * 60 * 60_000;

/** How the last messages fared, and what they used of the cap. */
export type Fates = {
  /** Of the last 30 and of the last 10 that are older than an hour, as far as there are so many. */
  last30: { count: number; delivered: number };
  last10: { count: number; delivered: number };
  /** Of the last 50 first contacts that had the time to answer. */
  firsts: { count: number; answered: number };
  /** Of the last 50 messages within a week. */
  lately: { count: number; optedOut: number };
  /** Different numbers that were written to first within 24 hours. */
  firstsOfDay: number;
  /** First contacts that were written to since WhatsApp said how much of the cap is used. */
  firstsSinceCap: number;
};

export const noFates: Fates = {
  last30: { count: 0, delivered: 0 },
  last10: { count: 0, delivered: 0 },
  firsts: { count: 0, answered: 0 },
  lately: { count: 0, optedOut: 0 },
  firstsOfDay: 0,
  firstsSinceCap: 0,
};

/** Of 30 messages under 60 % delivered. */
export const isPoorlyDelivered = ({ last30 }: Fates) => last30.count >= 30 && last30.delivered < 0.6 * last30.count;

/** Of 10 messages none delivered. */
export const isNothingDelivered = ({ last10 }: Fates) => last10.count >= 10 && last10.delivered === 0;

/** Of 50 first contacts nobody answered. Where 5 % answer, every fourth 50 have a single answer or none. */
export const isUnanswered = ({ firsts }: Fates) => firsts.count >= 50 && firsts.answered === 0;

/** Of 50 messages 5 % or more answered by opting out. */
export const isOftenOptedOut = ({ lately }: Fates) => lately.count >= 50 && lately.optedOut >= 0.05 * lately.count;
