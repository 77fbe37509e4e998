/** Latin, Greek and Cyrillic: each capital with its one small letter, for the database as well as for programs. */
const ranges = [
  [0x41, 0x5a],
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
] as const;

const pairs = ranges.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).flatMap((capital) => {
    const small = capital.toLowerCase();
    return small.length === 1 && small !== capital ? [[capital, small] as const] : [];
  }),
);
const smallOf = new Map(pairs);

/** For `translate`: each capital, and at the same place its small letter. */
export const capitals = pairs.map(([capital]) => capital).join('');
export const smallLetters = pairs.map(([, small]) => small).join('');

/** Texts of at most so many characters are kept, so many of them. */
const kept = { length: 100, texts: 1_000 };
const folded = new Map<string, string>();

/** Text as conditions compare it: without spaces around it, in small letters. The database's `folded_value` says the same. */
export function foldValue(text: string): string {
  if (text.length > kept.length) return fold(text);
  // Many expressions ask for the same text of a person, one after the other.
  const known = folded.get(text);
  if (known !== undefined) return known;
  const read = fold(text);
  if (folded.size >= kept.texts) folded.clear();
  folded.set(text, read);
  return read;
}

function fold(text: string): string {
  const trimmed = text.replaceAll(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
  return trimmed.replaceAll(/[A-Z\u00c0-\u024f\u0370-\u052f\u1e00-\u1eff]/g, (letter) => smallOf.get(letter) ?? letter);
}

/** A number without an exponent, as the database writes it. */
export function decimalText(number: number): string {
  const [mantissa = '', exponent] = String(number).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
