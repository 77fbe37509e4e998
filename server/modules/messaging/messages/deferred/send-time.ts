import type { Context } from '#server/context.ts';

const dayMs = 24 * 60 * 60_000;
const furthestDays = 90;

/** A clock that is a little behind, and the time that a request is under way. */
const graceMs = 5 * 60_000;

/** `at` is undefined for what is to go at once. */
export type SendTime = { at: Date | undefined } | { problem: string };

/** When a message is to go, or why it cannot be then. A time that is over, but only just, is now. */
export function sendTimeOf({ clock, config }: Pick<Context, 'clock' | 'config'>, sendAt: string | undefined): SendTime {
  if (sendAt === undefined) return { at: undefined };
  const at = new Date(sendAt);
  const aheadMs = at.getTime() - clock.now().getTime();
  if (aheadMs < -graceMs) return { problem: 'Choose a time that is not over' };
  // Records that the operator keeps for a shorter time would be gone before they are due.
  const days = Math.min(furthestDays, (config.messagesKeptDays ?? Infinity) - 1);
  if (aheadMs > days * dayMs) return { problem: `Choose a time within the next ${days} days` };
  return { at: aheadMs > 0 ? at : undefined };
}
