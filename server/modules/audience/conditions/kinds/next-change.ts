import type { ExpressionUnit } from '#contracts/expressions.ts';
import { spanFrom } from './span.ts';

/** Keeps the latest answer: one person after the other is asked at the same moment. */
export function keepLatest<A, T>(answer: (asked: A) => T): (asked: A) => T {
  let latest: { asked: A; answer: T } | undefined;
  return (asked) => {
    if (latest?.asked !== asked) latest = { asked, answer: answer(asked) };
    return latest.answer;
  };
}

/** Nothing changes by time alone. */
export const never = Infinity;

export const dayMs = 86_400_000;
/** By so much a month's last day moves a span at the most, and a day. */
const monthEndsMs = 4 * dayMs;
const latestMs = 8.64e15;

/** The first millisecond after now at which a comparison of now with one of the bounds may turn. */
export function turnsAt(bounds: readonly number[], now: Date): number {
  const nowMs = now.getTime();
  let first = never;
  for (const bound of bounds) {
    const at = Math.ceil(bound) > nowMs ? Math.ceil(bound) : Math.floor(bound) + 1;
    if (at > nowMs && at < first) first = at;
  }
  return first;
}

type Span = { n: number; unit: ExpressionUnit };

/** The same of comparisons with the moment so long after now, or before it where `n` is negative; never later. */
export function spanTurnsAt(bounds: readonly number[], span: Span, now: Date): number {
  if (span.unit !== 'months') {
    const lengthMs = spanFrom(new Date(0), span).getTime();
    return turnsAt(
      bounds.map((bound) => bound - lengthMs),
      now,
    );
  }
  return Math.min(never, ...bounds.map((bound) => monthsTurnAt(bound, span, now)));
}

/** Over the ends of months a span jumps, also back: near them each day is a moment of its own. */
function monthsTurnAt(bound: number, span: Span, now: Date): number {
  if (Math.abs(bound) > latestMs) return never;
  const about = spanFrom(new Date(bound), { ...span, n: -span.n }).getTime();
  if (Number.isNaN(about) || about + monthEndsMs < now.getTime()) return never;
  if (about - monthEndsMs > now.getTime()) return Math.floor(about - monthEndsMs);
  const today = spanFrom(now, span).getTime() - now.getTime();
  const midnight = (Math.floor(now.getTime() / dayMs) + 1) * dayMs;
  return Math.min(midnight, turnsAt([bound - today], now));
}

/** A bound with its neighbours, so that it does not matter which of them a comparison includes. */
export const around = (at: number): number[] => [at - 1, at, at + 1];
