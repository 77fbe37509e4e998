import * as library from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { commonCountries, digitsToFind, numberPlansOf, readingsIn, understandNumber } from './understand-number.ts';
import type { WrittenNumber } from './understand-number.ts';

const plans = numberPlansOf(library);

function read(written: string, rest: Omit<WrittenNumber, 'written'> = {}) {
  const understood = understandNumber({ written, ...rest }, plans);
  if (understood.kind !== 'clear') return understood.kind;
  return `${understood.by} ${understood.number} ${understood.country}`;
}

describe('a number without a plus', () => {
  test.each<[string, Omit<WrittenNumber, 'written'>, string]>([
    ['415 555 0199', { defaultCountry: 'US' }, 'national 14155550199 US'],
    ['415 555 0199', { defaultCountry: 'CH' }, 'not_clear'],
    ['415 555 0199', { defaultCountry: null }, 'not_clear'],
    ['415 555 0199', { isKnown: true }, 'known 4155550199 CH'],
    ['415 555 0199', { country: 'US', isKnown: true }, 'country 14155550199 US'],
    ['351912100017', { country: 'US', isKnown: true }, 'known 351912100017 PT'],
    ['415 555 0199', { country: 'US', defaultCountry: 'CH' }, 'country 14155550199 US'],
    ['912100017', { defaultCountry: 'PT' }, 'national 351912100017 PT'],
    ['912100017', { defaultCountry: null }, 'not_clear'],
    ['0151 23456789', { defaultCountry: 'DE' }, 'national 4915123456789 DE'],
    ['0151 23456789', { defaultCountry: null }, 'not_clear'],
    ['611 1234', { defaultCountry: 'IS' }, 'national 3546111234 IS'],
    ['14155550199', { defaultCountry: 'CH' }, 'full 14155550199 US'],
    ['351912100017', { defaultCountry: 'US' }, 'full 351912100017 PT'],
    ['٣٥١٩١٢١٠٠٠١٧', {}, 'full 351912100017 PT'],
    ['4402079460018', {}, 'full 442079460018 GB'],
    ['1234567', { defaultCountry: 'US' }, 'invalid'],
    ['12345', { defaultCountry: 'AT' }, 'invalid'],
    ['1234567890123456', {}, 'invalid'],
    ['', { isKnown: true }, 'invalid'],
  ])('%s with %j is %s', (written, rest, expected) => expect(read(written, rest)).toBe(expected));

  test('the national reading beside assignable full digits is offered as the other one', () => {
    const understood = understandNumber({ written: '659 234 5678', defaultCountry: 'US' }, plans);
    expect(understood).toMatchObject({ by: 'full', country: 'SG', other: { number: '16592345678', country: 'US' } });
  });
});

test.each([
  ['+351 912 100 017', 'international 351912100017 PT'],
  ['00351 912 100 017', 'international 351912100017 PT'],
  ['(+351) 912 100 017', 'international 351912100017 PT'],
  ['＋351912100017', 'international 351912100017 PT'],
  ['+44 (0)20 7946 0018', 'international 442079460018 GB'],
  ['+1 200 555 0199', 'international 12005550199 null'],
  ['+999 123 456 789', 'international 999123456789 null'],
  ['+1234567', 'invalid'],
  ['+0415550199', 'invalid'],
])('%s needs no country and no plan: %s', (written, expected) => {
  expect(read(written, { country: 'US', defaultCountry: 'CH' })).toBe(expected);
});

test.each([
  ['415 555 2671', 'US', 'country 14155552671 US'],
  ['1 415 555 2671', 'US', 'country 14155552671 US'],
  ['4915123456789', 'DE', 'country 4915123456789 DE'],
  ['1234567', 'US', 'country 11234567 US'],
  ['06 1234 5678', 'IT', 'country 390612345678 IT'],
])('%s of %s is read by the rules of that country', (written, country, expected) => {
  expect(read(written, { country })).toBe(expected);
});

test.each([
  ['551187654321', {}, 'full 551187654321 BR'],
  ['5511987654321', {}, 'full 5511987654321 BR'],
  ['1187654321', { defaultCountry: 'BR' }, 'national 551187654321 BR'],
  ['5215551234567', {}, 'full 5215551234567 MX'],
  ['525551234567', {}, 'full 525551234567 MX'],
  ['555 123 4567', { defaultCountry: 'MX' }, 'national 525551234567 MX'],
  ['541123456789', {}, 'full 541123456789 AR'],
  ['5491123456789', {}, 'full 5491123456789 AR'],
])('%s with %j keeps its form: %s', (written, rest, expected) => expect(read(written, rest)).toBe(expected));

test('suggestions come in the order of the countries, each number once', () => {
  const suggest = (countries: string[]) =>
    readingsIn({ written: '415 555 0199', countries, limit: 3 }, plans).map(({ number }) => number);
  expect(suggest(['CH', 'CA', 'US', ...commonCountries])[0]).toBe('14155550199');
  expect(suggest(['CH'])).toEqual([]);
});

test.each([
  ['00351 912 100 017', '351912100017'],
  ['0151 23456789', '15123456789'],
  ['0199', '0199'],
  ['+1 (415) 555-0132', '14155550132'],
  ['٤١٥', '415'],
])('a search for %s looks for %s', (written, digits) => expect(digitsToFind(written)).toBe(digits));
