import type { Readable } from 'node:stream';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { readRange } from './byte-range.ts';

/** The part of a file that a caller asks for, as in the headers of HTTP. */
export type WantedPart = { range: string | undefined; ifRange: string | undefined };

type Part = { status: 200 | 206; headers: Record<string, string>; body: Readable };

/** The bytes of a stored file, or of a range of it. Throws `FileMissingError`, 416 `range_not_satisfiable`. */
export async function openPart(
  { files }: Pick<Context, 'files'>,
  { key, size, etag }: { key: string; size: number; etag: string },
  { range: header, ifRange }: WantedPart,
): Promise<Part> {
  // Of another file than the caller has a part of, no part is of use.
  const isSame = ifRange === undefined || ifRange === etag;
  const range = isSame ? readRange(header, size) : undefined;
  if (range === 'unsatisfiable') {
    throw new ProblemError(416, 'range_not_satisfiable', `The file has ${size} bytes`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  const body = await files.open(key, range);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      'accept-ranges': 'bytes',
      etag,
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
    body,
  };
}
