import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { fillForProfile, placeholderText, skipReason, skipReasonSql, skipText, skipTextSql } from './index.ts';
import { messageFor } from './message-for.ts';
import type { RecipientProfile } from './index.ts';

const profile: RecipientProfile = {
  phone: '14155550123',
  country_code: 'US',
  name: 'Ada',
  email: null,
  status: 'active',
  phone_is_valid: true,
  created_at: new Date('2026-11-01T10:00:00Z'),
  updated_at: new Date('2026-11-02T10:00:00Z'),
  custom_fields: {
    name: 'Countess',
    email: 'ada@example.com',
    shop: 'Lovelace & Co',
    visits: 12,
    vip: false,
    none: null,
    tags: ['new', 3, true, null, {}],
    address: { city: 'London', 'post.code': 'W1' },
    'a.b': 'dotted',
  },
};

describe('placeholderText', () => {
  test.each<[string, string]>([
    ['name', 'Ada'],
    ['custom_fields.name', 'Countess'],
    ['email', 'ada@example.com'],
    ['phone', '14155550123'],
    ['country_code', 'US'],
    ['status', 'active'],
    ['phone_is_valid', 'true'],
    ['created_at', '2026-11-01T10:00:00.000Z'],
    ['shop', 'Lovelace & Co'],
    ['visits', '12'],
    ['vip', 'false'],
    ['none', ''],
    ['missing', ''],
    ['tags', 'new, 3, true'],
    ['address', ''],
    ['address.city', 'London'],
    ['custom_fields.address.city', 'London'],
    [String.raw`custom_fields.address.post\.code`, 'W1'],
    [String.raw`a\.b`, 'dotted'],
    ['a.b', ''],
    ['custom_fields', ''],
    ['custom_fields.', ''],
    ['constructor', ''],
    ['__proto__', ''],
    ['name.length', ''],
    [String.raw`bad\escape`, ''],
  ])('%s', (path, text) => {
    expect(placeholderText(profile, path)).toBe(text);
  });

  test('every placeholder of a text is filled; what is none stays', () => {
    const text = fillForProfile('Hi { name }, {missing}{visits} visits to {shop}: {} {{name}} {\n}', profile);
    expect(text).toBe('Hi Ada, 12 visits to Lovelace & Co: {} {Ada} {\n}');
  });

  test('what a value says is not filled again', () => {
    expect(fillForProfile('{name}', { ...profile, name: '{phone} $& $1' })).toBe('{phone} $& $1');
  });
});

describe('messageFor', () => {
  test.each<[string, string, RecipientProfile | undefined, ReturnType<typeof messageFor>]>([
    ['a text', 'Hi {name}', profile, { kind: 'text', text: 'Hi Ada' }],
    ['a profile that is gone', 'Hi', undefined, { kind: 'skipped', reason: 'profile_deleted' }],
    ['a bad number', 'Hi', { ...profile, phone_is_valid: false }, { kind: 'skipped', reason: 'invalid_number' }],
    ['opted out', 'Hi', { ...profile, status: 'Unsubscribed' }, { kind: 'skipped', reason: 'opted_out' }],
    ['nothing to say', ' {missing}\n', profile, { kind: 'skipped', reason: 'empty_message' }],
    ['4096 characters', 'x'.repeat(4096), profile, { kind: 'text', text: 'x'.repeat(4096) }],
    ['4096 emoji', '😀'.repeat(4096), profile, { kind: 'text', text: '😀'.repeat(4096) }],
    ['one emoji more', '😀'.repeat(4097), profile, { kind: 'skipped', reason: 'message_too_long' }],
    ['one more', `${'x'.repeat(4094)}{name}`, profile, { kind: 'skipped', reason: 'message_too_long' }],
  ])('%s', (_name, template, of, expected) => {
    expect(messageFor(template, of)).toEqual(expected);
  });
});

describe('who is skipped', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await database.drop();
  });

  const statuses = [
    'active',
    'opted_out',
    'Opted-Out',
    'OPTED OUT',
    'unsubscribed',
    'opted  out',
    'opted_out ',
    '',
    'İ',
    'K',
  ];
  const fields: RecipientProfile['custom_fields'][] = [
    null,
    {},
    { opted_out: true },
    { opted_out: 'true' },
    { opted_out: 'TRUE' },
    { opted_out: false },
    { opted_out: 'yes' },
    { opted_out: 1 },
    { opted_out: null },
    { opted_out: [true] },
    { opted_out: { opted_out: true } },
    { Opted_Out: true },
  ];
  const cases = [true, false].flatMap((phone_is_valid) =>
    statuses.flatMap((status) =>
      fields.map((custom_fields) => ({ ...profile, phone_is_valid, status, custom_fields })),
    ),
  );

  test('the statement and the function agree on every combination', async () => {
    const { rows } = await sql<{ reason: string | null; text: string | null }>`
      select ${skipReasonSql} as reason, ${skipTextSql} as text
        from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) as profiles (phone_is_valid bool, status text, custom_fields jsonb)
    `.execute(database.db);
    const expected = cases.map((each) => {
      const reason = skipReason(each);
      return { reason: reason ?? null, text: reason ? skipText(reason) : null };
    });
    expect(rows).toEqual(expected);
  });

  test('all of the reasons occur', () => {
    const count = (reason: string | undefined) => cases.filter((each) => skipReason(each) === reason).length;
    // Of ten statuses four opt out, and of twelve sets of fields three do so.
    expect([count('invalid_number'), count('opted_out'), count(undefined)]).toEqual([120, 48 + 6 * 3, 6 * 9]);
  });
});
