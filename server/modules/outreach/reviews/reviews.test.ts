import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewCampaign } from '#contracts/campaigns.ts';
import { previewFlow } from '#contracts/flows.ts';
import { placeholderText } from '#server/modules/outreach/recipients/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeScene } from '#tests/support/campaign-scene.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { addPacedPhone } from '#tests/support/paced-phone.ts';
import { isEmptyFor } from './empty-sql.ts';
import { placeholderSql } from './placeholder-sql.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const people = [
  { name: 'Ada', custom_fields: { shop: 'North' } },
  { name: 'Grace' },
  { name: 'Lin', custom_fields: { shop: ' ' } },
  { name: 'Bad', phone: '14150005551' },
  { name: 'Gone', status: 'Unsubscribed' },
];
const message = 'Hi {name|there}, {shop}: {plan}';
const expected = {
  total: 5,
  will_receive: 3,
  skipped: { invalid_number: 1, opted_out: 1 },
  duplicates: 0,
  placeholders: [
    { placeholder: '{name|there}', path: 'name', fallback: 'there', reads: 'Hi ,', empty: 0, is_unknown: false },
    { placeholder: '{shop}', path: 'shop', fallback: null, reads: ', :', empty: 2, is_unknown: false },
    { placeholder: '{plan}', path: 'plan', fallback: null, reads: ': ', empty: 3, is_unknown: true },
  ],
};

test('a campaign and a flow are reviewed alike: who gets it, what is empty, and when it is done', async () => {
  const { customer, segmentId, projectId } = await makeScene(app, people);
  const body = { segment_id: segmentId, message, project_id: projectId, duration: 90 };
  const { body: ofCampaign } = await customer.api.call(previewCampaign, { body });
  expect(ofCampaign).toMatchObject({ ...expected, forecast: { count: 3, phones: 1, waiting_for: null } });
  expect(ofCampaign.samples.map(({ message: text }) => text).toSorted()).toEqual([
    'Hi Ada, North: ',
    'Hi Grace, : ',
    'Hi Lin,  : ',
  ]);
  const { starts_at: from, done_at: to } = ofCampaign.forecast ?? {};
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(90 * 60_000);
  expect(ofCampaign.warnings).toEqual([]);
  const withLink = { ...body, message: `${message} https://example.com` };
  const { body: linked } = await customer.api.call(previewCampaign, { body: withLink });
  expect(linked.warnings).toEqual([{ code: 'link', first_contacts: 3 }]);

  const conditions = [{ fieldPath: 'custom_fields.group', operator: 'exists' as const, value: '' }];
  const { body: ofFlow } = await customer.api.call(previewFlow, { body: { conditions, message } });
  expect(ofFlow).toMatchObject({ ...expected, forecast: null });
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.refuse(previewCampaign, { body })).status).toBe(404);
  const foreign = { conditions, message, project_id: projectId };
  expect((await stranger.api.refuse(previewFlow, { body: foreign })).status).toBe(404);
});

test('a review counts whom the ledger would skip, and says how many will really go', async () => {
  const long = 'x'.repeat(5000);
  const own = [
    { name: 'Ada' },
    { name: undefined },
    { name: 'Ben', custom_fields: { note: long } },
    { name: 'Off', phone: '14155552991' },
    { name: 'First', phone: '14155552992' },
  ];
  const { customer, segmentId, projectId } = await makeScene(app, own);
  await app.ctx.pool.query(
    "insert into numbers_off_whatsapp (account_id, phone_key, found_at) values ($1, phone_key('14155552991'), now())",
    [customer.id],
  );
  // The sandbox lets anybody be written to; a linked phone may not.
  await app.ctx.pool.query("update phones set connector = 'whatsapp' where project_id = $1", [projectId]);
  await app.ctx.pool.query(
    `insert into phone_contacts (account_id, phone_id, phone_key, refused_at)
     select account_id, id, phone_key('14155552992'), now() from phones where project_id = $1`,
    [projectId],
  );
  const body = { segment_id: segmentId, message: '{name} {note}', project_id: projectId };
  const { body: review } = await customer.api.call(previewCampaign, { body });
  expect(review).toMatchObject({
    total: 5,
    will_receive: 1,
    skipped: { not_on_whatsapp: 1, empty_message: 1, message_too_long: 1, must_write_first: 1, opted_out: 0 },
    samples: [{ name: 'Ada' }],
  });
});

test('without a phone nothing is ever done, and the review says what for it waits', async () => {
  const { customer, segmentId, projectId } = await makeScene(app, 2, { hasPhone: false });
  const body = { segment_id: segmentId, message: 'Hi', project_id: projectId };
  const { body: review } = await customer.api.call(previewCampaign, { body });
  expect(review.forecast).toMatchObject({ done_at: null, count: 0, phones: 0, waiting_for: 'no_connected_phone' });
});

test("a campaign that starts tomorrow is not told to wait for what today's allowance has been used for", async () => {
  const { customer, segmentId, projectId } = await makeScene(app, 5, { hasPhone: false });
  const start = new Date();
  const { phoneId } = await addPacedPhone(app, { customer, projectId }, { start, facts: { rampDay: 1 } });
  await app.ctx.pool.query(
    `insert into phone_contacts (account_id, phone_id, phone_key, wrote_at)
     select account_id, $2, phone_key(phone), now() from profiles where account_id = $1`,
    [customer.id, phoneId],
  );
  // On the first day of the warm-up a hundred messages go to people who wrote.
  await app.ctx.pool.query(
    `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at, gap_ms)
     select $1, $2, n, '44750091' || n, 'known', $3::timestamptz, $3::timestamptz, 5000 from generate_series(1, 100) n`,
    [customer.id, phoneId, start],
  );
  const forecastOf = async (when: Date) => {
    const body = { segment_id: segmentId, message: 'Hi', project_id: projectId, when: when.toISOString() };
    const {
      starts_at: from = '',
      done_at: to,
      count,
    } = (await customer.api.call(previewCampaign, { body })).body.forecast ?? {};
    return { count, takesMs: Date.parse(to ?? '') - Date.parse(from) };
  };
  const dayMs = 24 * 60 * 60_000;
  const tomorrow = await forecastOf(new Date(start.getTime() + dayMs));
  expect(tomorrow.count).toBe(5);
  expect(tomorrow.takesMs).toBeLessThan(5 * 60_000);
});

describe('the value of a placeholder, and whether it is empty', () => {
  const values = [
    { name: 'Ada', custom_fields: { a: 'x', b: { c: 1 }, d: [], e: ['', null, {}], f: [0], g: false, h: null, i: '' } },
    { name: ' ', custom_fields: { name: 'Own', a: '\u00a0\u2003\u3000\ufeff', d: [' '], e: [['x']], f: { 0: 'key' } } },
    { name: null, custom_fields: { name: 'Own', a: ' \n', b: 'flat', e: ['', 'x'] } },
    { name: '', custom_fields: null },
  ];
  const paths = [
    'name',
    'custom_fields.name',
    'phone',
    'phone_is_valid',
    'a',
    'b',
    'b.c',
    'd',
    'e',
    'f',
    'f.0',
    'g',
    'h',
    'i',
  ];

  test.each([...paths, 'missing', String.raw`bad\escape`, 'a.b.c'])(
    'of {%s} the statement and the text agree',
    async (path) => {
      const rows = values.map((value) => ({ ...value, phone: '14155550123', phone_is_valid: true }));
      const answer = await sql<{ is_empty: boolean; text: string }>`
      select ${isEmptyFor(path)} as is_empty, ${placeholderSql(path)} as text
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as profiles (name text, phone text, phone_is_valid bool, custom_fields jsonb)
    `.execute(app.ctx.db);
      const texts = rows.map((row) => placeholderText(row as unknown as ProfileRow, path));
      expect(answer.rows.map(({ text }) => text)).toEqual(texts);
      expect(answer.rows.map(({ is_empty: isEmpty }) => isEmpty)).toEqual(texts.map((text) => text.trim() === ''));
    },
  );
});
