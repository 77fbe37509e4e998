import { CsvError } from './csv-error.ts';
import { cutText } from './shorten-text.ts';

/** A record of a file, or what is wrong with it; a cell over the limit is cut short. */
export type CsvRecord = { cells: string[]; problem: string | undefined };

export type CsvLimits = { maxCellLength: number; maxCells: number };

/** Text in, records out; a text may end anywhere, within a cell too. */
export type CsvParser = {
  push(text: string): Generator<CsvRecord>;
  /** Throws `CsvError` when a quotation mark is still open. */
  end(): Generator<CsvRecord>;
};

/** A line before the header, in which spreadsheets name the delimiter. */
export const delimiterLine = /^sep=([,;\t|])(?:\r?\n|\r|$)/i;

const delimiters = [',', ';', '\t', '|'];

/** The delimiter of a header line: the one that it has most of outside quotation marks. */
export function guessDelimiter(headerLine: string): string {
  const bare = headerLine.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Reads RFC 4180 with one delimiter. Empty lines are left out; a quotation mark within a bare cell is just that. */
export function createCsvParser(delimiter: string, { maxCellLength, maxCells }: CsvLimits): CsvParser {
  /** Where a cell may end; after a closing quotation mark another one stands for itself. */
  const special = new RegExp(`["\\r\\n${delimiter.replace('|', String.raw`\|`)}]`, 'g');
  let state: 'start' | 'bare' | 'quoted' | 'quote closed' = 'start';
  let cell = '';
  let record: CsvRecord = { cells: [], problem: undefined };
  let hasBegun = false;
  let line = 1;
  let quoteLine = 1;

  function append(text: string): void {
    const room = maxCellLength - cell.length;
    if (text.length > room) {
      record.problem ??= `Column ${record.cells.length + 1} has more than ${maxCellLength} characters`;
    }
    cell += cutText(text, room);
  }

  function endCell(): void {
    if (record.cells.length < maxCells) record.cells.push(cell);
    else record.problem ??= `The row has more than ${maxCells} columns`;
    cell = '';
    state = 'start';
  }

  function* endRecord(): Generator<CsvRecord> {
    if (!hasBegun) return;
    endCell();
    yield record;
    record = { cells: [], problem: undefined };
    hasBegun = false;
  }

  function* takeSpecial(character: string): Generator<CsvRecord> {
    if (character === '\n' || character === '\r') {
      if (character === '\n') line += 1;
      yield* endRecord();
      return;
    }
    hasBegun = true;
    if (character === delimiter) {
      endCell();
    } else if (state === 'bare') {
      append(character);
    } else {
      if (state === 'quote closed') append(character);
      else quoteLine = line;
      state = 'quoted';
    }
  }

  function nextSpecial(text: string, from: number): number {
    if (state === 'quoted') {
      const end = text.indexOf('"', from);
      return end === -1 ? text.length : end;
    }
    special.lastIndex = from;
    return special.exec(text)?.index ?? text.length;
  }

  return {
    *push(text) {
      let index = 0;
      while (index < text.length) {
        const end = nextSpecial(text, index);
        if (end > index) {
          const part = text.slice(index, end);
          append(part);
          hasBegun = true;
          if (state === 'quoted') line += part.split('\n').length - 1;
          else state = 'bare';
        }
        if (end === text.length) return;
        if (state === 'quoted') state = 'quote closed';
        else yield* takeSpecial(text.charAt(end));
        index = end + 1;
      }
    },
    *end() {
      if (state === 'quoted') throw new CsvError(`The quotation mark that opens in line ${quoteLine} is never closed`);
      yield* endRecord();
    },
  };
}
