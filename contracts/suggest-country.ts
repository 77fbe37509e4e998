import { withoutDecimal } from './read-number.ts';
import { understandNumber, type NumberPlans } from './understand-number.ts';

/** Cells that look like phone numbers. */
export const looksLikeNumber = (cell: string): boolean =>
  /^[+\d\s().\-/]+$/.test(cell) && /^\d{7,15}$/.test(cell.replaceAll(/\D/g, ''));

const mostCells = 200;

/**
 * The country of most of the full numbers among the first cells of a column that look like numbers, two letters: national
 * numbers beside them are probably of it. Null where there is no full number.
 */
export function suggestCountry(cells: readonly string[], plans: NumberPlans): string | null {
  const counts = new Map<string, number>();
  for (const cell of cells.filter(looksLikeNumber).slice(0, mostCells)) {
    const understood = understandNumber({ written: withoutDecimal(cell) }, plans);
    if (understood.kind !== 'clear' || !understood.isAssignable || understood.country === null) continue;
    counts.set(understood.country, (counts.get(understood.country) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}
