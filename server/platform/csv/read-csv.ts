import { TextDecoder } from 'node:util';
import { CsvError } from './csv-error.ts';
import { createCsvParser, guessDelimiter } from './csv-parser.ts';
import type { CsvLimits, CsvParser, CsvRecord } from './csv-parser.ts';

/** Longer than a header line of sense: then it is no CSV, or all of it is one line. */
const maxHeaderLength = 256 * 1024;

/**
 * Reads CSV (RFC 4180, with `,`, `;`, tab or `|`) from its bytes as they come, one record at a time: memory holds one
 * record, and of a cell no more than the limit. Throws `CsvError` when it is not UTF-8 text (or UTF-16 that is marked
 * as such), or when a quotation mark is never closed.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<CsvRecord> {
  let parser: CsvParser | undefined;
  let start = '';
  for await (const text of decode(bytes)) {
    if (parser) {
      yield* parser.push(text);
      continue;
    }
    // The header line says what the delimiter is.
    start += text;
    const end = start.search(/[\r\n]/);
    if (end === -1 && start.length <= maxHeaderLength) continue;
    parser = createCsvParser(guessDelimiter(end === -1 ? start : start.slice(0, end)), limits);
    yield* parser.push(start);
  }
  if (!parser) {
    parser = createCsvParser(guessDelimiter(start), limits);
    yield* parser.push(start);
  }
  yield* parser.end();
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const part of bytes) {
    decoder ??= new TextDecoder(encodingOf(part), { fatal: true });
    yield decodePart(decoder, part);
  }
  if (decoder) yield decodePart(decoder);
}

/** Spreadsheets mark what they write in UTF-16 with a byte order mark. */
function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Without a part it is the end. */
function decodePart(decoder: TextDecoder, part?: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(part, { stream: part !== undefined });
  } catch (error) {
    throw new CsvError('The file is not UTF-8 text. Save it as "CSV UTF-8" and try again.', { cause: error });
  }
  if (text.includes('\u0000')) throw new CsvError('The file is not text');
  return text;
}
