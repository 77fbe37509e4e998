import * as library from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { parsePhoneNumberFromString } from './number-plans.ts';

const asked = [
  ['+14160000001', undefined],
  ['4160000001', 'US'],
  ['4160000001', 'CH'],
  ['912100017', 'PT'],
  ['912100017', 'BR'],
  ['+80012345678', undefined],
  ['+12', undefined],
] as const;

test.each(asked)('%s in %s is read as the library reads it, also from memory', (text, country) => {
  const read = library.parsePhoneNumberFromString(text, country);
  const expected = read && {
    number: read.number,
    country: read.country,
    countryCallingCode: read.countryCallingCode,
    nationalNumber: read.nationalNumber,
    isValid: read.isValid(),
  };
  for (let time = 0; time < 2; time += 1) {
    const parsed = parsePhoneNumberFromString(text, country);
    expect(parsed && { ...parsed, isValid: parsed.isValid() }).toEqual(expected);
  }
});

test('a number is read once for all that ask about it', () => {
  const first = parsePhoneNumberFromString('+351912100017');
  expect(first).toBeDefined();
  expect(parsePhoneNumberFromString('+351912100017')).toBe(first);
});
