import type { DayCounts } from '#contracts/messages.ts';
import type { AxisScale } from './axis-scale.ts';

export type Bar = { x: number; y: number; width: number; height: number };
export type DayLayout = {
  /** Where the day's column is. */
  column: { x: number; width: number };
  sent: Bar;
  /** Inside what was sent. */
  delivered: Bar;
  /** On top of what was sent. */
  failed: Bar;
  /** Beside them. */
  received: Bar;
};

type Plot = { width: number; height: number; scale: AxisScale };

/** However few of them among many: one that failed is to be seen. */
const leastHeight = 2;
const segmentGap = 1;

/** The greatest height a day's bars need. */
export function highestBar(days: readonly DayCounts[]): number {
  return Math.max(0, ...days.map(({ sent, failed, received }) => Math.max(sent + failed, received)));
}

/** Pixels from the top left of the plot. */
export function layOutDay(day: DayCounts, position: { index: number; of: number }, plot: Plot): DayLayout {
  const width = plot.width / position.of;
  const x = position.index * width;
  const outWidth = Math.min(16, width * 0.4);
  const inWidth = Math.min(6, width * 0.2);
  const gap = Math.min(3, width * 0.1);
  const left = x + (width - outWidth - gap - inWidth) / 2;
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(leastHeight, (count / plot.scale.end) * plot.height));
  const bar = (from: number, barWidth: number, height: number, above = 0): Bar => ({
    x: from,
    y: plot.height - above - height,
    width: barWidth,
    height,
  });
  const sentHeight = heightOf(day.sent);
  return {
    column: { x, width },
    sent: bar(left, outWidth, sentHeight),
    delivered: bar(left, outWidth, Math.min(sentHeight, heightOf(day.delivered))),
    failed: bar(left, outWidth, heightOf(day.failed), sentHeight === 0 ? 0 : sentHeight + segmentGap),
    received: bar(left + outWidth + gap, inWidth, heightOf(day.received)),
  };
}
