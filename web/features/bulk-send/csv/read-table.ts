import { CsvError as UnreadableError } from '#contracts/csv-error.ts';
import { createCsvParser, delimiterLine, guessDelimiter } from '#contracts/csv-parser.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { CsvError } from './csv-error.ts';

export type Table = {
  /** In small letters. */
  headers: string[];
  /** Without those that are empty; a row has its place among them, from 1. */
  rows: { row: number; cells: string[] }[];
};

const limits = { maxCellLength: 32_768, maxCells: 500 };

/** Reads CSV as the server does. Throws `CsvError` where there are no data rows, or a quotation mark is never closed. */
export function readTable(text: string): Table {
  const content = text.replace(/^\uFEFF/, '');
  const body = content.replace(delimiterLine, '');
  const headerLine = /^[^\r\n]*/.exec(body)?.[0] ?? '';
  const parser = createCsvParser(delimiterLine.exec(content)?.[1] ?? guessDelimiter(headerLine), limits);
  const [header, ...records] = readAll(() => [...parser.push(body), ...parser.end()]);
  const rows = records
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map((cells, index) => ({ row: index + 1, cells }));
  if (header === undefined || rows.length === 0) throw new CsvError('empty', 'CSV appears empty or invalid');
  return { headers: header.map((cell) => cell.toLowerCase()), rows };
}

function readAll(read: () => { cells: string[] }[]): string[][] {
  try {
    return read().map(({ cells }) => cells.map((cell) => withoutFormulaGuard(cell).trim()));
  } catch (error) {
    throw error instanceof UnreadableError ? new CsvError('headers', error.message) : error;
  }
}
