/**
 * Prints what becomes of three new numbers under a campaign of 20,000 in a simulated month, in each world and with each
 * judge; `SEED`, and `WORLD` for a single one.
 */
import { simulateMonth } from './simulate-month.ts';
import { worlds } from './worlds.ts';

const seed = Number(process.env['SEED'] ?? 7);
const only = process.env['WORLD'];
for (const [name, world] of Object.entries(worlds)) {
  if (only !== undefined && name !== only) continue;
  const rows: Record<string, object> = {};
  for (const newPerDay of [20, 25, 30, 40]) {
    const { waitedFor, causes, ...figures } = simulateMonth(
      { world, newPerDay, isProtected: true, tellsCap: false },
      { seed: seed + newPerDay },
    );
    rows[`${name}, ${newPerDay} a day`] = {
      ...figures,
      causes: causes.join(' '),
      waitedFor: waitedFor.slice(0, 3).join(' '),
    };
  }
  console.table(rows);
}
