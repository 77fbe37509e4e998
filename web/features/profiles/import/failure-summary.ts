import type { ImportRow } from '#contracts/profile-imports.ts';

/** `Row 4 has the same number` says the same of each row. */
const general = (reason: string) =>
  reason.replace(/^Row [\d,]+ has the same number$/, 'The number is in an earlier row');

/** Why rows failed, the most frequent reason first: `Invalid number (12), The phone number is missing (3)`. */
export function failureSummary(rows: readonly Pick<ImportRow, 'reason'>[]): string {
  const reasons = rows.flatMap(({ reason }) => (reason === null ? [] : [general(reason)]));
  const counts = Map.groupBy(reasons, (reason) => reason);
  return [...counts]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${reason} (${length.toLocaleString('en')})`)
    .join(', ');
}
