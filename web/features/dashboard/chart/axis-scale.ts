/** The marks of an axis from 0 up; the last one is its end. */
export type AxisScale = { end: number; marks: readonly number[] };

const intervals = 4;
const steps = [1, 2, 2.5, 5, 10];

/** Round marks, whole numbers, no more than five, that hold `maximum`. */
export function axisScale(maximum: number): AxisScale {
  const least = Math.max(1, maximum / intervals);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = steps.map((part) => part * magnitude).find((size) => size >= least && Number.isInteger(size));
  const size = step ?? 10 * magnitude;
  const count = Math.max(1, Math.ceil(maximum / size));
  return { end: count * size, marks: Array.from({ length: count + 1 }, (_, index) => index * size) };
}
