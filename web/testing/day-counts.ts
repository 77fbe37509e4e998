import type { DayCounts } from '#contracts/messages.ts';

const nothing = { sent: 0, delivered: 0, failed: 0, received: 0 };

/** The 14 days up to 21 November 2026; `changes` counts days back from today. */
export function sampleDays(changes: Record<number, Partial<DayCounts>> = {}): DayCounts[] {
  return Array.from({ length: 14 }, (_, index) => ({
    date: `2026-11-${String(index + 8).padStart(2, '0')}`,
    ...nothing,
    ...changes[13 - index],
  }));
}
