import type { ProfileColumn } from '#contracts/field-path.ts';
import { normalizeTag } from '#contracts/profile-tags.ts';
import { digitsToFind } from '#contracts/understand-number.ts';

/** JSON's own way to write a number (RFC 8259, section 6). */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** As programs and spreadsheets write them. */
const booleans = [
  { value: true, spellings: ['true', 'True', 'TRUE'] },
  { value: false, spellings: ['false', 'False', 'FALSE'] },
];

/** The stored values that a condition's text equals: the text, and the boolean or the number that it spells. */
export function spelledValues(text: string): (string | number | boolean)[] {
  const boolean = booleans.find(({ spellings }) => spellings.includes(text));
  // The value first: it is what most profiles have, and the first that equals ends the comparison.
  if (boolean) return [boolean.value, ...boolean.spellings];
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? [text, number] : [text];
}

/** The same for a column: its values as they are presented. */
export function columnTexts(column: ProfileColumn, text: string): (string | boolean)[] {
  switch (column) {
    case 'phone_is_valid':
      return spelledValues(text).filter((value) => typeof value === 'boolean');
    case 'phone':
      // The full number, however it is written.
      return /^[+\uFF0B\d\s().-]+$/.test(text) ? [digitsToFind(text)] : [text];
    case 'tags':
      return [normalizeTag(text)];
    default:
      return [text];
  }
}
