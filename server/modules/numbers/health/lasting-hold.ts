import type { StoredSender } from './load-senders.ts';
import { maySend } from './may-send.ts';
import type { Hold, Moment, Verdict } from './may-send.ts';

/** The moments between two messages are no reason to wait: it goes on. */
export type LastingHold = { why: Exclude<Hold, 'gap' | 'in_flight'>; until: Date };

const minuteMs = 60_000;

/** A phone as it stands for people of whom nobody knows where they are. */
export const anywhere = (sender: StoredSender): StoredSender => ({
  ...sender,
  health: { ...sender.health, hasQuietHours: false },
});

/** The reason that holds a message for longer than the pace does; null where it may go now, or soon. */
export function lastingHold(verdict: Exclude<Verdict, { kind: 'never' }>, now: Date): LastingHold | null {
  if (verdict.kind === 'now' || verdict.why === 'gap' || verdict.why === 'in_flight') return null;
  const isShort = verdict.why === 'hourly' && verdict.at.getTime() - now.getTime() <= minuteMs;
  return isShort ? null : { why: verdict.why, until: verdict.at };
}

/**
 * The reason for which a phone holds all its queued messages back: first contacts, else also people who have written to
 * it.
 */
export function holdOfSender(sender: StoredSender, moment: Moment): LastingHold | null {
  for (const contact of ['first', 'known'] as const) {
    const verdict = maySend(anywhere(sender), { contact, country: undefined, mustWriteFirst: false }, moment);
    const hold = verdict.kind === 'never' ? null : lastingHold(verdict, moment.now);
    if (hold) return hold;
  }
  return null;
}
