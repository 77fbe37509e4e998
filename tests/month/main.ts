/**
 * Prints what becomes of three new numbers under a campaign of 20,000 in simulated months, in each world and with each
 * judge: means of so many months as `MONTHS` says, the worst of them where it says so; `SEED`, and `WORLD` for a single one.
 */
import type { MonthFigures } from './simulate-month.ts';
import { simulateMonth } from './simulate-month.ts';
import { worlds } from './worlds.ts';

const seed = Number(process.env['SEED'] ?? 7);
const count = Number(process.env['MONTHS'] ?? 6);
const only = process.env['WORLD'];
for (const [name, world] of Object.entries(worlds)) {
  if (only !== undefined && name !== only) continue;
  const rows: Record<string, object> = {};
  for (const newPerDay of [20, 25, 30, 40]) {
    const scenario = { world, newPerDay, isProtected: true, tellsCap: false };
    const months = Array.from({ length: count }, (_, index) =>
      simulateMonth(scenario, { seed: seed + newPerDay + 1_000 * index }),
    );
    rows[`${name}, ${newPerDay} a day`] = summaryOf(months);
  }
  console.table(rows);
}

function summaryOf(months: readonly MonthFigures[]) {
  const mean = (read: (month: MonthFigures) => number) =>
    months.reduce((sum, month) => sum + read(month), 0) / months.length;
  const shares = months.map(({ ofKnowing }) => ofKnowing);
  return {
    sentFirst: Math.round(mean(({ sentFirst }) => sentFirst)),
    ofKnowing: Number(mean(({ ofKnowing }) => ofKnowing).toFixed(2)),
    least: Math.min(...shares),
    bans: Math.max(...months.map(({ bans }) => bans)),
    mostLocks: Math.max(...months.map(({ mostLocks }) => mostLocks)),
    causes: mostFrequent(months.map(({ causes }) => causes)).join(' '),
    waitedFor: mostFrequent(months.map(({ waitedFor }) => waitedFor.slice(0, 3)))
      .slice(0, 3)
      .join(' '),
  };
}

function mostFrequent(lists: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const each of lists.flat()) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
}
