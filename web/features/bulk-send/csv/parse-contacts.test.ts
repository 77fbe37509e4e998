import { describe, expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import type { ContactList } from './contact.ts';
import { parseContacts, type FilePlan } from './parse-contacts.ts';

const bytesOf = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;
function listOf(text: string, plan?: FilePlan): ContactList {
  const parsed = parseContacts(text, plan);
  if (parsed.kind === 'question') throw new Error('The columns were asked for');
  return parsed.list;
}
const parseOne = (text: string) => listOf(text).contacts[0];

describe('columns', () => {
  test.each([
    ['commas', 'country_code,phone,name,shop\n46,701740605,Ada,Nordlys'],
    ['semicolons', 'country_code;phone;name;shop\r\n46;701740605;Ada;Nordlys\r\n'],
    ['tabs', 'country_code\tphone\tname\tshop\n46\t701740605\tAda\tNordlys'],
    ['a line that names the delimiter', 'sep=;\r\ncountry_code;phone;name;shop\r\n46;701740605;Ada;Nordlys'],
    ['headers in any case and order', 'Shop,NAME , Phone,Country_Code\nNordlys,Ada,701740605,46'],
    ['a byte order mark', '\uFEFFcountry_code,phone,name,shop\n46,701740605,Ada,Nordlys'],
    ['quotes', '"country_code","phone","name","shop"\n"46","701740605","Ada","Nordlys"'],
  ])('%s', (_, text) => {
    const fields = { country_code: '46', phone: '701740605', name: 'Ada', shop: 'Nordlys' };
    expect(parseOne(text)).toEqual({ row: 1, ...fields, fields, to: '46701740605' });
  });

  test('quoted fields hold delimiters, quotes and line breaks', () => {
    const contact = parseOne('country_code,phone,name,shop\n46,701740605,"Lindqvist, Ada","The ""North""\nLight"');
    expect(contact).toMatchObject({ name: 'Lindqvist, Ada', shop: 'The "North"\nLight' });
  });

  test('a cell that was guarded against being run as a formula reads as it was', () => {
    expect(parseOne("country_code,phone,name,shop\n46,701740605,'@ada,'tis")).toMatchObject({
      name: '@ada',
      shop: "'tis",
    });
  });

  test.each([
    ['country_code,phone,first_name,last_name\n46,701740605,Ada,Lindqvist', 'Ada Lindqvist'],
    ['country_code,phone,first_name\n46,701740605,Ada', 'Ada'],
    ['country_code,phone,name,first_name,last_name\n46,701740605,,Ada,Lindqvist', 'Ada Lindqvist'],
    ['country_code,phone,name,first_name\n46,701740605,Grace,Ada', 'Grace'],
    ['country_code,phone\n46,701740605', ''],
  ])('the name in %j', (text, name) => {
    expect(parseOne(text)).toMatchObject({ name, shop: '' });
  });
});

describe('refused', () => {
  test.each(['', '\n\n', 'country_code,phone', 'country_code,phone\n,\n', 'country_code,phone\n46,'])('%j', (text) => {
    expect(() => parseContacts(text)).toThrow('CSV appears empty or invalid');
  });

  test.each([
    ['name,shop\nAda,Nordlys', 'Missing required headers: country_code, phone'],
    ['country_code,shop\n46,Nordlys', 'Missing required headers: phone'],
  ])('%j', (text, message) => {
    expect(() => parseContacts(text)).toThrow(message);
  });
});

test('rows without a country code or a phone are skipped, and rows keep their place in the file', () => {
  const { contacts, skipped } = listOf('country_code,phone\n,701740605\n46,n/a\n\n46,701740605\n??,701740606');
  expect(contacts).toMatchObject([{ row: 3, to: '46701740605' }]);
  expect(skipped).toBe(3);
});

describe('numbers', () => {
  const read = (countryCode: string, phone: string) => parseOne(`country_code;phone\n${countryCode};${phone}`);

  test.each([
    ['1', '4155550132', '14155550132'],
    ['+1', '(415) 555-0132', '14155550132'],
    ['49', '30 2312 5714', '493023125714'],
    ['49.0', '3023125714.0', '493023125714'],
    ['DE', '0172 5551234', '491725551234'],
    ['EG', '٠١٠ ١٢٣٤ ٥٦٧٨', '201012345678'],
    ['٢٠', '١٠١٢٣٤٥٦٧٨', '201012345678'],
    ['de', '+49 172 5551234', '491725551234'],
    ['US', '415 555 0132', '14155550132'],
    ['1', '2345678', '12345678'],
    ['123', '456789012345', '123456789012345'],
    ['34', '34613300106', '34613300106'],
    ['34', '+34613300106', '34613300106'],
    ['34', '0034 613300106', '34613300106'],
    ['44', '07400 123456', '447400123456'],
    ['1', '14152345678', '14152345678'],
  ])('%s and %s', (countryCode, phone, to) => {
    const contact = read(countryCode, phone);
    expect(contact).toMatchObject({ to });
    expect(contact?.problem).toBeUndefined();
  });

  test.each([
    ['0', '172555123', 'leading-zero'],
    ['1', '234567', 'too-short'],
    ['123', '4567890123456', 'too-long'],
    ['49', '1.72556E+10', 'scientific'],
    ['49', '"1,72556e+10"', 'scientific'],
    ['DE', '4.91725E11', 'scientific'],
  ])('%s and %s: %s', (countryCode, phone, problem) => {
    expect(read(countryCode, phone)).toMatchObject({ problem });
  });
});

describe('a file without the headers of the specification', () => {
  const csv = 'Nombre;Móvil\nAna;34613300106\nBea;613300107\nCai;+34 613 300 108\nDan;n/a';
  const columns = { phone: 1, country_code: null, name: 0, first_name: null, last_name: null, shop: null };

  test('asks for its columns, with the one that holds numbers and the country of the others', () => {
    const parsed = parseContacts(csv);
    expect(parsed).toMatchObject({
      kind: 'question',
      question: {
        headers: ['nombre', 'móvil'],
        samples: [
          ['Ana', 'Bea', 'Cai'],
          ['34613300106', '613300107', '+34 613 300 108'],
        ],
        columns: { phone: 1, name: null },
        country: 'ES',
        unclear: 1,
      },
    });
  });

  test('is read by a plan; every column stays a placeholder', () => {
    const list = listOf(csv, { columns, country: 'ES' });
    expect(list.contacts.map(({ to, name }) => [name, to])).toEqual([
      ['Ana', '34613300106'],
      ['Bea', '34613300107'],
      ['Cai', '34613300108'],
    ]);
    expect(list).toMatchObject({ columns: ['nombre', 'móvil', 'phone', 'name'], skipped: 1, defaultCountry: 'ES' });
    expect(list.contacts[0]?.fields).toEqual({
      nombre: 'Ana',
      móvil: '34613300106',
      phone: '34613300106',
      name: 'Ana',
    });
  });

  test('without a country a number that is no full number is invalid', () => {
    expect(listOf(csv, { columns, country: null }).contacts[1]).toMatchObject({ problem: 'not-clear' });
  });

  test('finds columns by the names that imports know', () => {
    const parsed = parseContacts('Full name,Mobile,Dial code\nAda,701740605,46');
    expect(parsed).toMatchObject({ question: { columns: { phone: 1, country_code: 2, name: 0 } } });
  });
});

describe('encodings', () => {
  test.each([
    ['UTF-8', bytesOf(0xc3, 0x89, 0x6c)],
    ['UTF-8 with a byte order mark', bytesOf(0xef, 0xbb, 0xbf, 0xc3, 0x89, 0x6c)],
    ['Windows-1252', bytesOf(0xc9, 0x6c)],
    ['UTF-16, little end first', bytesOf(0xff, 0xfe, 0xc9, 0x00, 0x6c, 0x00)],
  ])('%s', (_, bytes) => {
    expect(decodeText(bytes)).toBe('Él');
  });

  test('the dashes and quotes of Windows', () => {
    expect(decodeText(bytesOf(0x93, 0x41, 0x94, 0x20, 0x96, 0x20, 0x80))).toBe('“A” – €');
  });

  test('nothing', () => {
    expect(decodeText(bytesOf())).toBe('');
  });
});
