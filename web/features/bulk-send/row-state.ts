import type { NumberProblem } from '#contracts/read-number.ts';
import type { BulkSendState } from './run/bulk-send.ts';

export type RowFilter = 'all' | 'valid' | 'invalid' | 'failed';

/** Beside 'Invalid number'. */
export const problemReasons: Record<NumberProblem, string> = {
  'leading-zero': 'starts with 0',
  'too-short': 'fewer than 8 digits',
  'too-long': 'more than 15 digits',
  scientific: 'shortened by a spreadsheet',
  'not-clear': 'not clear whose number it is: choose the file again with its country',
};

/** Places of the rows that a filter shows. */
export function filterRows(
  { upload, outcomes }: Pick<BulkSendState, 'upload' | 'outcomes'>,
  filter: RowFilter,
): number[] {
  const indexes = [...(upload?.contacts.keys() ?? [])];
  switch (filter) {
    case 'all':
      return indexes;
    case 'valid':
      return indexes.filter((index) => upload?.contacts[index]?.problem === undefined);
    case 'invalid':
      return indexes.filter((index) => upload?.contacts[index]?.problem !== undefined);
    case 'failed':
      return indexes.filter((index) => outcomes.get(index)?.status === 'failed');
  }
}
