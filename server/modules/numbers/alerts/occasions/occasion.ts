import type { AlertKind } from '#contracts/alerts.ts';
import type { DirectFirstContacts } from '#contracts/projects.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { PhoneHealthCode } from '#contracts/phone-health.ts';

/** `beyond`: what the project does with direct messages to further people. */
type FirstContactFacts = { phone: string; used: number; allowed: number; until: string; beyond: DirectFirstContacts };

/** The facts of an occasion, as of the last look at it. `phone` is its name, or its number with a `+`. */
export type AlertFacts = {
  phone_lost: { phone: string; status: 'disconnected' | 'auth_failed' | 'banned'; error: string | null };
  phone_limited: { phone: string; code: PhoneHealthCode | null; until: string | null };
  campaign_waiting: { campaign: string; waiting_for: LongWait };
  campaign_failed: { campaign: string; error: string };
  webhook_failing: { project: string; url: string };
  import_done: {
    file: string | null;
    status: 'completed' | 'failed';
    counts: { new: number; updated: number; skipped: number; invalid: number };
    error: string | null;
  };
  daily_limit_reached: { phone: string; most: number; until: string };
  first_contacts_low: FirstContactFacts;
  first_contacts_used: FirstContactFacts;
};

/** Unusual reasons for which a campaign waits; the pace of its phones is a usual one. */
export const longWaits = [
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'daily_limit',
  'phone_limited',
  'phone_capped',
  'phone_locked',
] as const satisfies readonly WaitingReason[];
export type LongWait = (typeof longWaits)[number];

type About = {
  accountId: number;
  projectId: number | null;
  subjectId: number;
  beganAt: Date;
  /** When it is worth a mail: at once, unless given. Over before that, it is announced to nobody. */
  dueAt?: Date;
};

export type Occasion = { [K in AlertKind]: About & { kind: K; facts: AlertFacts[K] } }[AlertKind];

/** Last as long as the day of allowances; the last release does not know them. */
export const firstContactKinds: readonly AlertKind[] = ['first_contacts_low', 'first_contacts_used'];

/** Happened, and does not last: over once somebody has seen it, or after a week. */
export const momentKinds: readonly AlertKind[] = ['campaign_failed', 'import_done'];

/** Listed from their beginning on; others once they are worth a mail. */
export const listedAtOnce: readonly AlertKind[] = [...momentKinds, ...firstContactKinds];
