import { describe, expect, test } from 'vitest';
import { numberForms } from '#contracts/understand-number.ts';
import { isCountry, readPhone } from './read-phone.ts';

const read = (given: string, country: string | null = null) => {
  const phone = readPhone(given, country !== null && isCountry(country) ? country : null);
  return phone && [phone.phone, phone.country_code, phone.calling_code, phone.national_number, phone.phone_is_valid];
};

describe('readPhone', () => {
  test.each<[string, string | null, unknown[]]>([
    ['+1 (415) 555-2671', null, ['14155552671', 'US', '1', '4155552671', true]],
    ['14155552671', null, ['14155552671', 'US', '1', '4155552671', true]],
    ['(415) 555-2671', 'US', ['14155552671', 'US', '1', '4155552671', true]],
    ['1 415 555 2671', 'US', ['14155552671', 'US', '1', '4155552671', true]],
    ['+44 20 7946 0958', 'US', ['442079460958', 'GB', '44', '2079460958', true]],
    ['0151 23456789', 'DE', ['4915123456789', 'DE', '49', '15123456789', true]],
    ['4915123456789', 'DE', ['4915123456789', 'DE', '49', '15123456789', true]],
    ['06 1234 5678', 'IT', ['390612345678', 'IT', '39', '0612345678', true]],
    ['٤١٥٥٥٥٢٦٧١', 'US', ['14155552671', 'US', '1', '4155552671', true]],
    ['1234567', 'US', ['11234567', 'US', '1', '1234567', false]],
    ['+999 123 456 789', null, ['999123456789', null, null, '999123456789', false]],
  ])('%s in %s', (given, country, expected) => {
    expect(read(given, country)).toEqual(expected);
  });

  test.each(['', '1234567', '1234567890123456', '0123456789', 'abc', '+', '-'])('%j cannot be a number', (given) => {
    expect(read(given)).toBeUndefined();
  });

  test('the full number of a profile reads as itself with its country', () => {
    for (const [given, country] of [
      ['0151 12345678', 'DE'],
      ['0812 3456 7890', 'ID'],
      ['0660 1234567', 'AT'],
      ['340 123 4567', 'IT'],
    ] as const) {
      const phone = readPhone(given, country);
      expect(readPhone(phone?.phone ?? '', country)?.phone).toBe(phone?.phone);
    }
  });
});

test.each([
  ['14155552671', []],
  ['5511987654321', ['551187654321']],
  ['551187654321', ['5511987654321']],
  ['5215551234567', ['525551234567']],
  ['525551234567', ['5215551234567']],
  ['5491123456789', ['541123456789']],
])('%s is the same phone as %j', (number, others) => {
  expect(numberForms(number)).toEqual([number, ...others]);
});
