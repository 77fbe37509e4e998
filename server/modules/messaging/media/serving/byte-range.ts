import type { ByteRange } from '#server/connectors/storage/port.ts';

/**
 * The range that a `Range` header asks for (RFC 9110 §14.2). Undefined: the whole file, as for several ranges or another
 * unit. `unsatisfiable`: it begins beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(?<first>\d{0,15})-(?<last>\d{0,15})$/.exec(header?.trim() ?? '');
  const { first = '', last = '' } = match?.groups ?? {};
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
