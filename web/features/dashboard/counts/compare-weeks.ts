import type { DayCounts } from '#contracts/messages.ts';

export type WeekComparison = {
  /** In the last seven days, today among them. */
  sent: number;
  /** In the seven days before. */
  before: number;
  /** By which part of `before` it has grown; undefined where there is nothing to compare with. */
  growth: number | undefined;
};

const weekDays = 7;

const sentOf = (days: readonly DayCounts[]): number => days.reduce((sum, { sent }) => sum + sent, 0);

/** `days` are in their order, today last. */
export function compareWeeks(days: readonly DayCounts[]): WeekComparison {
  const sent = sentOf(days.slice(-weekDays));
  const before = sentOf(days.slice(-2 * weekDays, -weekDays));
  return { sent, before, growth: before === 0 ? undefined : (sent - before) / before };
}
