import { describe, expect, test } from 'vitest';
import { readPhone } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import type { AskedNumber } from '#server/modules/numbers/reading/index.ts';
import { numberPlans } from '#server/platform/number-plans.ts';
import { understandNumber } from '#contracts/understand-number.ts';
import { guessFields } from '#contracts/guess-fields.ts';
import { pathsOf, requireUsablePlan } from './import-plan.ts';
import type { OpeningPlan, ReadingPlan } from './import-plan.ts';
import { mergeRow } from './merge-row.ts';
import type { FileRow } from './import-rows.ts';
import { openRow, readRow as readOpened } from './read-row.ts';
import type { RowReading } from './read-row.ts';

test('columns are guessed by their headers', () => {
  const headers = [
    'ID',
    'Mobile Phone',
    'country',
    'First name',
    'last_name',
    'E-mail',
    'Plan',
    'custom_fields.a.b',
    'phone',
    '',
    'Shop Name',
    'Unsubscribed',
    'opted_out_at',
    'on_whatsapp',
  ];
  expect(guessFields(headers, ['custom_fields.plan', 'custom_fields.shop_name'])).toEqual([
    null,
    'phone',
    'country_code',
    'first_name',
    'last_name',
    'email',
    'custom_fields.plan',
    'custom_fields.a.b',
    null,
    null,
    'custom_fields.shop_name',
    'opted_out',
    null,
    null,
  ]);
  expect(guessFields(['phone', 'v1.2 beta'], [])).toEqual(['phone', String.raw`custom_fields.v1\.2_beta`]);
});

test('the rows that an import gave back are guessed by their own columns, also when they come back twice', () => {
  expect(guessFields(['row', 'reason', 'Phone', 'Reasons'], [])).toEqual([
    null,
    null,
    'phone',
    'custom_fields.reasons',
  ]);
  expect(guessFields(['row', 'reason', 'row', 'reason', 'phone'], [])).toEqual([null, null, null, null, 'phone']);
  expect(guessFields(['phone', 'row', 'reason'], [])).toEqual(['phone', 'custom_fields.row', 'custom_fields.reason']);
});

describe('a plan', () => {
  test.each<[string, (string | null)[], string | null]>([
    ['without a phone', ['name', null], null],
    ['with another number of columns', ['phone'], null],
    ['with a field twice', ['phone', 'phone'], null],
    ['with a value where other fields are', ['custom_fields.a', 'custom_fields.a.b'], null],
    ['with a country that is not', ['phone', null], 'XX'],
  ])('%s is refused', (_name, fields, country_code) => {
    expect(() => requireUsablePlan({ fields, country_code }, 2)).toThrow();
  });

  test('is taken otherwise', () => {
    expect(() => requireUsablePlan({ fields: ['phone', 'custom_fields.a'], country_code: 'DE' }, 2)).not.toThrow();
  });
});

const common = {
  country: null,
  held: new Map(),
  understand: (asked: AskedNumber) => understandNumber(asked, numberPlans),
};
const plan = { ...common, fields: ['phone', 'country_code', 'name', 'email', 'custom_fields.plan'] };
const cells = (phone: string, country = '', name = '', email = '', plan_ = '') => [phone, country, name, email, plan_];

function readRow(fileRow: FileRow, given: OpeningPlan & Omit<ReadingPlan, 'paths'>): RowReading {
  const row = openRow(fileRow, given);
  return row.kind === 'opened' ? readOpened(row, { ...given, paths: pathsOf(given.fields) }) : row;
}

describe('readRow', () => {
  test.each<[string[], string]>([
    [cells('+1 415 555 2671'), '14155552671'],
    [cells("'+14155552671"), '14155552671'],
    [cells('4155552671', 'us'), '14155552671'],
    [cells('4155552671', '1'), '14155552671'],
    [cells('4155552671', '+1'), '14155552671'],
    [cells('+14155552671', '44'), '14155552671'],
    [cells('0151 23456789', '49'), '4915123456789'],
    [cells('34613300106', '34'), '34613300106'],
    [cells('0034 613 300 106', '34'), '34613300106'],
    [cells('41446681800', ''), '41446681800'],
    [cells('491761234567.0'), '491761234567'],
    [cells('14155552671.0', 'us'), '14155552671'],
    [cells('4155552671.0', '1.0'), '14155552671'],
  ])('%j', (row, phone) => {
    expect(readRow(row, plan)).toMatchObject({ kind: 'read', row: { phone: { phone } } });
  });

  test.each([
    cells('14155552671'),
    cells('+1 (415) 555-2671'),
    cells('0014155552671'),
    cells('14155552671', 'us'),
    cells('14155552671', '1'),
    cells('14155552671', 'ca'),
    cells('14155552671', 'id'),
    cells('4155552671', 'us'),
  ])('%j is the same number where a profile has it', (...row) => {
    const phone = readPhone('14155552671', null);
    if (!phone) throw new Error('The number cannot be read');
    expect(readRow(row, { ...plan, held: new Map([[phone.phone, phone]]) })).toEqual(readRow(row, plan));
  });

  test.each<[string, Parameters<typeof readRow>[0], string]>([
    ['no number', cells(''), 'The phone number is missing'],
    ['a short number', cells('12345'), 'Invalid number'],
    [
      'a number that a spreadsheet shortened',
      cells('1.41556E+10'),
      'The number was shortened by a spreadsheet: format the column as text',
    ],
    [
      'a number with a plus that a spreadsheet shortened',
      cells('+14.1556E+9'),
      'The number was shortened by a spreadsheet: format the column as text',
    ],
    ['an unknown country', cells('4155552671', 'Narnia'), 'There is no country with the code Narnia'],
    ['a long name', cells('14155552671', '', 'x'.repeat(201)), 'Use at most 200 characters'],
    ['too few cells', ['14155552671'], 'The row has 1 cells where the header has 5'],
    [
      'a cell that was too long',
      { cells: ['1'], problem: 'Column 1 has more than 9 characters' },
      'Column 1 has more than 9 characters',
    ],
  ])('%s is said', (_name, row, reason) => {
    expect(readRow(row, plan)).toEqual({ kind: 'invalid', reason });
  });

  test('a number is national in the country of the plan only where its digits are no full number', () => {
    const portuguese = { ...plan, country: 'PT' };
    const phoneOf = (row: string[]) => readRow(row, portuguese);
    expect(phoneOf(cells('912 100 017'))).toMatchObject({ row: { phone: { phone: '351912100017' } }, notes: [] });
    expect(phoneOf(cells('41446681800'))).toMatchObject({ row: { phone: { phone: '41446681800' } }, notes: [] });
    expect(phoneOf(cells('912100017', 'US'))).toMatchObject({ row: { phone: { phone_is_valid: false } } });
    const headers = { ...portuguese, headers: ['Mobile'] };
    expect(readRow(cells('+351 112 100 017'), headers)).toMatchObject({
      row: { phone: { phone: '351112100017', phone_is_valid: false } },
      notes: [
        { column: 0, text: 'Mobile: “+351 112 100 017” is not an assignable number: it is kept as +351112100017' },
      ],
    });
  });

  test('an email that is none and a cell that is not of its type are left out and noted', () => {
    const typed = { ...plan, types: ['text', 'text', 'text', 'text', 'number'] as const, headers: ['Phone'] };
    expect(readRow(cells('14155552671', '', 'Ada', 'nobody', '12,5'), typed)).toMatchObject({
      kind: 'read',
      row: { name: 'Ada', email: undefined, custom: [{ keys: ['plan'], value: 12.5 }] },
      notes: [{ column: 3, text: 'Column 4: “nobody” is not an email address' }],
    });
    expect(
      readRow(cells('14155552671', '', '', '', 'many'), { ...typed, headers: ['', '', '', '', 'Plan'] }),
    ).toMatchObject({
      row: { custom: [] },
      notes: [{ column: 4, text: 'Plan: “many” is not a number' }],
    });
  });

  test.each([
    ['', false],
    ['no', false],
    ['FALSE', false],
    ['0', false],
    ['Yes', true],
    ['true', true],
    ['1', true],
    ['x', true],
  ])('opted out: %j is %s', (text, isOptedOut) => {
    const withOptOut = { ...common, fields: ['phone', 'opted_out'] };
    expect(readRow(['14155552671', text], withOptOut)).toMatchObject({ row: { isOptedOut } });
  });

  test('opted out: what is neither yes nor no is said', () => {
    const withOptOut = { ...common, fields: ['phone', 'opted_out'] };
    const reason = 'Opted out must be yes or no';
    expect(readRow(['14155552671', 'maybe'], withOptOut)).toEqual({ kind: 'invalid', reason });
  });

  test('the name is put together from its parts', () => {
    const parts = { ...common, fields: ['phone', 'first_name', 'last_name'] };
    expect(readRow(['14155552671', 'Ada', 'Lovelace'], parts)).toMatchObject({ row: { name: 'Ada Lovelace' } });
    expect(readRow(['14155552671', '', 'Lovelace'], parts)).toMatchObject({ row: { name: 'Lovelace' } });
    expect(readRow(['14155552671', '', ''], parts)).toMatchObject({ row: { name: undefined } });
  });
});

describe('mergeRow', () => {
  const read = (row: string[]) => {
    const reading = readRow(row, plan);
    if (reading.kind === 'invalid') throw new Error(reading.reason);
    return reading.row;
  };
  const profile = (change: Partial<ProfileRow>): ProfileRow => {
    const merge = mergeRow(undefined, read(cells('14155552671', '', 'Ada')));
    if (merge.kind !== 'new') throw new Error(merge.kind);
    return {
      ...merge.values,
      account_id: 1,
      id: 1,
      is_twin: false,
      created_at: new Date(0),
      updated_at: new Date(0),
      ...change,
    };
  };

  test('without a profile it is a new one', () => {
    const merge = mergeRow(undefined, read(cells('14155552671', '', 'Ada', '', 'pro')));
    expect(merge).toMatchObject({
      kind: 'new',
      values: { name: 'Ada', email: null, status: 'active', custom_fields: { plan: 'pro' } },
    });
  });

  test('empty cells leave what is there', () => {
    expect(mergeRow(profile({ email: 'ada@example.com' }), read(cells('14155552671')))).toEqual({ kind: 'skipped' });
  });

  test.each([10, '10', true, ['x'], 'pro'])('a cell that spells %j as it is stored changes nothing', (stored) => {
    const text = typeof stored === 'object' ? JSON.stringify(stored) : String(stored);
    const before = profile({ custom_fields: { plan: stored } });
    expect(mergeRow(before, read(cells('14155552671', '', '', '', text)))).toEqual({ kind: 'skipped' });
  });

  test('a typed value takes the place of a text that spells it, and changes nothing where it stands', () => {
    const reading = readRow(cells('14155552671', '', '', '', '10'), {
      ...plan,
      types: ['text', 'text', 'text', 'text', 'number'],
    });
    if (reading.kind === 'invalid') throw new Error(reading.reason);
    const merge = mergeRow(profile({ custom_fields: { plan: '10' } }), reading.row);
    expect(merge).toMatchObject({ kind: 'updated', values: { custom_fields: { plan: 10 } } });
    expect(mergeRow(profile({ custom_fields: { plan: 10 } }), reading.row)).toEqual({ kind: 'skipped' });
  });

  test('other fields stay', () => {
    const before = profile({ custom_fields: { plan: 'free', seats: 3 } });
    const merge = mergeRow(before, read(cells('14155552671', '', '', 'ada@example.com', 'pro')));
    expect(merge).toMatchObject({
      kind: 'updated',
      values: { name: 'Ada', email: 'ada@example.com', custom_fields: { plan: 'pro', seats: 3 } },
    });
  });

  test('fields that no longer fit are said', () => {
    const before = profile({ custom_fields: { big: 'x'.repeat(65_500) } });
    expect(mergeRow(before, read(cells('14155552671', '', '', '', 'x'.repeat(100))))).toEqual({
      kind: 'invalid',
      reason: 'Custom fields take at most 64 KiB',
    });
  });
});
