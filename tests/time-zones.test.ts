import { afterAll, beforeAll, expect, test } from 'vitest';
import { TimeZone, updateCurrentUser } from '#contracts/accounts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { createProfile } from '#contracts/profiles.ts';
import { listApiRequests } from '#contracts/request-log.ts';
import { previewSegment } from '#contracts/segments.ts';
import { replayWebhooks } from '#contracts/webhook-endpoints.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const systemV = [
  'AST4',
  'AST4ADT',
  'CST6',
  'CST6CDT',
  'EST5',
  'EST5EDT',
  'HST10',
  'MST7',
  'MST7MDT',
  'PST8',
  'PST8PDT',
];
/** Names that Intl alone has. */
const ofIntl = ['US/Pacific-New', ...[...systemV, 'YST9', 'YST9YDT'].map((name) => `SystemV/${name}`)];
const abbreviations = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));

test('every zone that is taken is the same to the database', async () => {
  const { rows: known } = await app.ctx.pool.query<{ name: string }>('select name from pg_timezone_names');
  const names = [...known.map(({ name }) => name), ...Intl.supportedValuesOf('timeZone'), ...ofIntl, ...abbreviations];
  const zones = [...new Set(names)].flatMap((name) => TimeZone.safeParse(name).data ?? []);
  expect(zones.length).toBeGreaterThan(400);
  const moments = ['2026-01-15T12:34:00Z', '2026-07-15T12:34:00Z'].map((text) => new Date(text));
  const wrong: unknown[] = [];
  for (const zone of zones) {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    const { rows } = await app.ctx.pool
      .query<{ text: string }>(
        `select to_char(at at time zone $2, 'YYYY-MM-DD HH24:MI') as text from unnest($1::timestamptz[]) as at`,
        [moments, zone],
      )
      .catch(() => ({ rows: [] }));
    const ours = moments.map((at) => format.format(at));
    if (rows.map(({ text }) => text).join() !== ours.join()) wrong.push([zone, ours, rows]);
  }
  expect(wrong).toEqual([]);
});

test.each(['AET', 'PST', 'ist', '+05:30', 'Etc/Unknown', 'Mars/Olympus'])('%s is none', async (timezone) => {
  const { api } = await signUpSubscriber(app.url);
  const refused = await api.refuse(updateCurrentUser, { body: { timezone } });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'timezone']);
  const ofProfile = await api.refuse(createProfile, { body: { phone: '14155550123', timezone } });
  expect(ofProfile.status).toBe(422);
});

test('an abbreviation whose clocks change is kept as the place that it stands for', async () => {
  const { api } = await signUpSubscriber(app.url, 'CET');
  const { body } = await api.call(updateCurrentUser, { body: { name: 'Ada' } });
  expect(body.timezone).toBe('Europe/Brussels');
  const { body: profile } = await api.call(createProfile, { body: { phone: '14155550123', timezone: 'eet' } });
  expect(profile.timezone).toBe('Europe/Athens');
});

test('lists are narrowed by moments of any offset, and of the years that the database has', async () => {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const params = { projectId: (await makeProject(customer)).id };
  const event = (from: string, to: string) =>
    ({ event: 'Order', times: { op: '>=', n: 1 }, window: { from, to } }) as const;
  const calls = (from: string, to: string) => [
    () => api.call(searchMessages, { query: { created_after: from, created_before: to } }),
    () => api.call(listAuditEvents, { query: { created_after: from, created_before: to } }),
    () => api.call(listApiRequests, { params, query: { created_after: from, created_before: to } }),
    () => api.call(replayWebhooks, { params, body: { since: from, until: to } }),
    () => api.call(previewSegment, { body: { expression: event(from, to) } }),
  ];
  for (const call of calls('0001-01-02T00:00:00+23:59', '9999-12-30T00:00:00-23:59')) await call();
  const years = {
    'too early': ['0000-12-31T00:00:00Z', '2026-01-01T00:00:00Z'] as const,
    'too late': ['2026-01-01T00:00:00Z', '9999-12-31T23:59:00-23:59'] as const,
  };
  for (const [from, to] of Object.values(years)) {
    for (const call of calls(from, to)) await expect(call()).rejects.toThrow('422');
  }
});
