import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { fillForProfile, placeholderText, skipReason, skipReasonSql, skipText, skipTextSql } from './index.ts';
import { messageFor } from './message-for.ts';
import type { Recipient } from './skip-reason.ts';

const profile: Recipient = {
  is_opted_out: false,
  is_out_of_topic: false,
  is_off_whatsapp: false,
  phone: '14155550123',
  country_code: 'US',
  name: 'Ada',
  email: null,
  status: 'active',
  tags: [],
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

  test('placeholders within a value are not filled', () => {
    expect(fillForProfile('{name}', { ...profile, name: '{phone} $& $1' })).toBe('{phone} $& $1');
  });
});

describe('messageFor', () => {
  test.each<[string, string, Recipient | undefined, ReturnType<typeof messageFor>]>([
    ['a text', 'Hi {name}', profile, { kind: 'text', text: 'Hi Ada' }],
    ['a profile that is gone', 'Hi', undefined, { kind: 'skipped', reason: 'profile_deleted' }],
    ['a bad number', 'Hi', { ...profile, phone_is_valid: false }, { kind: 'skipped', reason: 'invalid_number' }],
    ['opted out', 'Hi', { ...profile, is_opted_out: true }, { kind: 'skipped', reason: 'opted_out' }],
    ['nothing to say', ' {missing}\n', profile, { kind: 'skipped', reason: 'empty_message' }],
    ['4096 characters', 'x'.repeat(4096), profile, { kind: 'text', text: 'x'.repeat(4096) }],
    ['4096 emoji', '😀'.repeat(4096), profile, { kind: 'text', text: '😀'.repeat(4096) }],
    ['one emoji more', '😀'.repeat(4097), profile, { kind: 'skipped', reason: 'message_too_long' }],
    ['one more', `${'x'.repeat(4094)}{name}`, profile, { kind: 'skipped', reason: 'message_too_long' }],
  ])('%s', (_name, template, of, expected) => {
    expect(messageFor({ template, media: null }, of)).toEqual(expected);
  });

  test.each<[string, string, ReturnType<typeof messageFor>]>([
    ['nothing to say beside a file is no caption', ' {missing}\n', { kind: 'text', text: '' }],
    ['a caption of 1024 emoji goes', '😀'.repeat(1024), { kind: 'text', text: '😀'.repeat(1024) }],
    ['a longer one is skipped', `${'x'.repeat(1022)}{name}`, { kind: 'skipped', reason: 'caption_too_long' }],
  ])('%s', (_name, template, expected) => {
    const media = { id: 'm', type: 'image', mime_type: 'image/png', file_name: null, size: 1, sha256: '' } as const;
    expect(messageFor({ template, media }, profile)).toEqual(expected);
  });
});

describe('the reasons to skip a profile', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  const cases = [true, false].flatMap((phone_is_valid) =>
    [true, false].flatMap((is_opted_out) =>
      [true, false].flatMap((is_off_whatsapp) =>
        [true, false].map((is_out_of_topic) => ({
          ...profile,
          phone_is_valid,
          is_opted_out,
          is_off_whatsapp,
          is_out_of_topic,
        })),
      ),
    ),
  );

  test('the statement and the function agree on every combination, and all of the reasons occur', async () => {
    const {
      rows: [account],
    } = await sql<{ id: number }>`
      insert into accounts (email, email_key, name, password_hash, api_key_hash, api_key_sealed, timezone, created_at)
      values ('a@example.com', 'a@example.com', 'Ada', '', '', '', 'UTC', now()) returning id
    `.execute(database.db);
    const accountId = account?.id ?? 0;
    await sql`
      insert into suppressions (account_id, phone_key, phone, opted_out_at, source)
      values (${accountId}, phone_key('5511987654321'), '5511987654321', now(), 'user')
    `.execute(database.db);
    await sql`
      insert into numbers_off_whatsapp (account_id, phone_key, found_at)
      values (${accountId}, phone_key('5511987654321'), now()), (${accountId}, phone_key('14155550199'), now())
    `.execute(database.db);
    const {
      rows: [topic],
    } = await sql<{ id: number }>`
      insert into topics (account_id, name, needs_opt_in, created_at, updated_at)
      values (${accountId}, 'News', false, now(), now()) returning id
    `.execute(database.db);
    await sql`
      insert into topic_consents (account_id, topic_id, phone_key, phone, state, source, evidence, at)
      select ${accountId}, ${topic?.id}, phone_key(phone), phone, 'opted_out', 'page', '{}', now()
        from unnest(array['14155550177', '14155550188', '5511987654321']) as phone
    `.execute(database.db);
    await sql`
      insert into numbers_off_whatsapp (account_id, phone_key, found_at)
      values (${accountId}, phone_key('14155550188'), now())
    `.execute(database.db);
    // The lists have the number in another form than the profile.
    const known = cases.filter(
      ({ is_opted_out, is_off_whatsapp, is_out_of_topic }) => (is_off_whatsapp && is_out_of_topic) || !is_opted_out,
    );
    const numbers = { none: '14155550123', off: '14155550199', topic: '14155550177', both: '14155550188' };
    const given = known.map(({ phone_is_valid, is_opted_out, is_off_whatsapp, is_out_of_topic }) => ({
      account_id: accountId,
      phone_is_valid,
      phone: is_opted_out
        ? '551187654321'
        : numbers[is_off_whatsapp ? (is_out_of_topic ? 'both' : 'off') : is_out_of_topic ? 'topic' : 'none'],
    }));
    const { rows } = await sql<{ reason: string | null; of_account: string | null; text: string | null }>`
      select ${skipReasonSql(topic?.id ?? 0)} as reason, ${skipReasonSql(topic?.id ?? 0, accountId)} as of_account,
             ${skipTextSql(topic?.id ?? 0)} as text
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as profiles (account_id bigint, phone_is_valid bool, phone text)
    `.execute(database.db);
    const expected = known.map((each) => {
      const reason = skipReason(each);
      return { reason: reason ?? null, of_account: reason ?? null, text: reason ? skipText(reason) : null };
    });
    expect(rows).toEqual(expected);
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(
      new Set(['opted_out', 'topic_opted_out', 'not_on_whatsapp', null, 'invalid_number']),
    );
  });
});
