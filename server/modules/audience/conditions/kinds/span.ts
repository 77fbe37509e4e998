import type { ExpressionUnit } from '#contracts/expressions.ts';

const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 } as const;

/** The moment so long after another, or before it where `n` is negative. A month later is the same day, or the last one. */
export function spanFrom(at: Date, { n, unit }: { n: number; unit: ExpressionUnit }): Date {
  if (unit !== 'months') return new Date(at.getTime() + n * unitMs[unit]);
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + n);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return moved;
}
