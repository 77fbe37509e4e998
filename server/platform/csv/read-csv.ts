import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { CsvError } from '#contracts/csv-error.ts';
import { createCsvParser, delimiterLine, guessDelimiter } from '#contracts/csv-parser.ts';
import type { CsvLimits, CsvParser, CsvRecord } from '#contracts/csv-parser.ts';

/** Longer than a header line of sense: then it is no CSV, or all of it is one line. */
const maxHeaderLength = 256 * 1024;

/**
 * Reads CSV (RFC 4180, with `,`, `;`, tab or `|`) from its bytes as they come, one record at a time: memory holds one
 * record, and of a cell no more than the limit. The text is UTF-16 where it is marked so, UTF-8 where its first letter
 * beyond ASCII is, else Windows-1252. Throws `CsvError` when it is no text, or when a quotation mark is never closed.
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
    parser = beginCsv(start, limits);
    yield* parser.push(withoutDelimiterLine(start));
  }
  if (!parser) {
    parser = beginCsv(start, limits);
    yield* parser.push(withoutDelimiterLine(start));
  }
  yield* parser.end();
}

const withoutDelimiterLine = (start: string) => start.replace(delimiterLine, '');

function beginCsv(start: string, limits: CsvLimits): CsvParser {
  const named = delimiterLine.exec(start)?.[1];
  return createCsvParser(named ?? guessDelimiter(/^[^\r\n]*/.exec(start)?.[0] ?? ''), limits);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let encoding: string | undefined;
  let left: Uint8Array = new Uint8Array();
  for await (const next of bytes) {
    const part = left.length === 0 ? next : Buffer.concat([left, next]);
    left = new Uint8Array();
    encoding ??= encodingOf(part);
    if (!decoder && encoding === 'utf-8') {
      // Undecided while all is ASCII: a letter that the end of a part may have cut in two waits for the next one.
      const atEnd = lettersAtEnd(part);
      const before = part.subarray(0, part.length - atEnd);
      if (atEnd < 4 && before.every((byte) => byte < 0x80)) {
        left = part.slice(before.length);
        yield decodePart(new TextDecoder(), before);
        continue;
      }
      const cuts = [0, 1, 2, 3].filter((cut) => cut <= atEnd);
      encoding = cuts.some((cut) => isUtf8(part.subarray(0, part.length - cut))) ? 'utf-8' : 'windows-1252';
    }
    decoder ??= new TextDecoder(encoding, { fatal: true });
    yield decodePart(decoder, part);
  }
  if (left.length > 0) yield decodePart(new TextDecoder(isUtf8(left) ? 'utf-8' : 'windows-1252'), left);
  if (decoder) yield decodePart(decoder);
}

/** How many bytes beyond ASCII the part ends with. */
function lettersAtEnd(part: Uint8Array): number {
  let count = 0;
  while (count < part.length && (part[part.length - 1 - count] ?? 0) >= 0x80) count += 1;
  return count;
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
