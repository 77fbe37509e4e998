import type { TimeOperator } from '#contracts/conditions.ts';

const hourMs = 3_600_000;

type Threshold = { isBefore: boolean; at: Date };

/** The time that an operator compares with: so many hours or days before now. */
export function timeThreshold(operator: TimeOperator, value: string, now: Date): Threshold {
  const unitMs = operator.endsWith('days_ago') ? 24 * hourMs : hourMs;
  const at = new Date(now.getTime() - Math.round(Number(value) * unitMs));
  return { isBefore: operator.startsWith('before'), at };
}
