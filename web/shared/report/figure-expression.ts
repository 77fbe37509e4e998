import type { EntryFilter } from '#contracts/campaigns.ts';
import type { EventLeaf, Expression, MessageState } from '#contracts/expressions.ts';
import type { Figure } from './entry-search.ts';

export type FigureSource = { of: 'campaign' | 'flow' | 'bulk_run'; id: number };

/** The people of each figure that a condition can describe, in words, and those who were sent a message that fell short. */
const figurePeople: Partial<Record<EntryFilter, { reached: string; short?: string }>> = {
  sent: { reached: 'were sent the message' },
  delivered: { reached: 'got the message', short: 'were sent it, but have not got it' },
  read: { reached: 'read the message', short: 'were sent it, but have not read it' },
  clicked: { reached: 'opened a link', short: 'were sent it, but have opened no link' },
  replied: { reached: 'answered', short: 'were sent it, but have not answered' },
  opted_out: { reached: 'opted out by reply' },
  failed: { reached: 'did not get it, as sending failed' },
};

/** Undefined for figures that no condition describes: a reason, a link, people who wait or were skipped. */
export function peopleOf({ status, reason, error_code: code, link }: Figure) {
  const isPart = reason !== undefined || code !== undefined || link !== undefined;
  return isPart || status === undefined ? undefined : figurePeople[status];
}

const states: readonly string[] = [
  'sent',
  'delivered',
  'read',
  'clicked',
  'replied',
  'failed',
] satisfies MessageState[];

/** People who belong to the figure, now and later; or those who were sent a message and do not. */
export function expressionOfFigure({ of, id }: FigureSource, status: EntryFilter, isShort: boolean): Expression {
  if (of !== 'bulk_run' && states.includes(status)) {
    return { message: { of, id }, state: status as MessageState, ...(isShort && { not: true as const }) };
  }
  const event = (name: string): EventLeaf => ({
    event: `$message.${name}`,
    times: { op: '>=', n: 1 },
    where: [{ field: `properties.${of}_id`, op: 'equals', value: id }],
  });
  return isShort ? { all: [event('sent'), { not: event(status) }] } : event(status);
}
