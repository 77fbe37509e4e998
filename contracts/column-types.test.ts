import { expect, test } from 'vitest';
import { isOrderUnknown, readCell, suggestType } from './column-types.ts';
import type { CellValue, ColumnType } from './column-types.ts';

test.each<[ColumnType, string, CellValue | undefined]>([
  ['text', '007', '007'],
  ['number', '12', 12],
  ['number', '-12.5', -12.5],
  ['number', '007', 7],
  ['number', '1,234,567', 1_234_567],
  ['number', '1,234.50', 1234.5],
  ['number', '1.234,50', 1234.5],
  ['number', '12,5', 12.5],
  ['number', '1 234,5', 1234.5],
  ['number', '1,234', undefined],
  ['number', '12 apples', undefined],
  ['number', '1e5', undefined],
  ['number', '1234567890123456', undefined],
  ['yes_no', 'Yes', true],
  ['yes_no', '0', false],
  ['yes_no', 'Nein', false],
  ['yes_no', 'maybe', undefined],
  ['date_dmy', '01/09/2026', '2026-09-01'],
  ['date_dmy', '1.9.2026', '2026-09-01'],
  ['date_mdy', '01/09/2026', '2026-01-09'],
  ['date_iso', '2026-09-01', '2026-09-01'],
  ['date_iso', '2026/9/1', '2026-09-01'],
  ['date_iso', '2026-09-01T10:05:09.123Z', '2026-09-01T10:05:09Z'],
  ['date_dmy', '01/09/2026 14:30', '2026-09-01T14:30:00'],
  ['date_mdy', '9/1/2026, 2:30 PM', '2026-09-01T14:30:00'],
  ['date_mdy', '9/1/2026 13:30 PM', undefined],
  ['date_dmy', '31/02/2026', undefined],
  ['date_dmy', '13/13/2026', undefined],
  ['date_mdy', '13/01/2026', undefined],
  ['date_dmy', '01/09/26', undefined],
  ['date_dmy', '01-09/2026', undefined],
  ['date_dmy', 'soon', undefined],
])('as %s, %j is %j', (type, text, value) => {
  expect(readCell(text, type)).toBe(value);
});

test.each<[string[], ColumnType]>([
  [[], 'text'],
  [['1', '20', '-3.5'], 'number'],
  [['1', 'two'], 'text'],
  [['01', '02'], 'text'],
  [['912100017123'], 'text'],
  [['yes', 'No'], 'yes_no'],
  [['2026-09-01'], 'date_iso'],
  [['13/09/2026', '01/09/2026'], 'date_dmy'],
  [['09/13/2026', '01/09/2026'], 'date_mdy'],
  [['01.09.2026'], 'date_dmy'],
  [['01/09/2026'], 'text'],
])('of %j it suggests %s', (cells, type) => {
  expect(suggestType(cells)).toBe(type);
});

test('knows dates whose order nobody can tell', () => {
  expect(isOrderUnknown(['01/09/2026', '02/03/2026'])).toBe(true);
  expect(isOrderUnknown(['13/09/2026'])).toBe(false);
  expect(isOrderUnknown(['01.09.2026'])).toBe(false);
  expect(isOrderUnknown(['pro'])).toBe(false);
  expect(isOrderUnknown([])).toBe(false);
});
