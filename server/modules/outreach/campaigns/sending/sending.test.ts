import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMessages } from '#contracts/messages.ts';
import { updateProfile } from '#contracts/profiles.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { inTransaction } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, expectToAddUp, get, makeScene, recipients, textsOf, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

test('every member gets it once, filled from the profile; who cannot be sent to is skipped', async () => {
  const own = await makeScene(app, [
    { name: 'Ada', custom_fields: { shop: 'Lovelace' } },
    { name: 'Grace' },
    { phone: '14155550000', name: 'No WhatsApp' },
    { phone: '14150005551', name: 'Bad number' },
    { name: 'Gone', status: 'Unsubscribed' },
    { name: 'Field', custom_fields: { opted_out: 'true' } },
  ]);
  const campaign = await create(own, { message: 'Hello {name} of {shop}!' });
  expect(campaign).toMatchObject({ status: 'creating', total_count: 0, segment_name: 'Group all', when: null });
  const done = await until(own, campaign, { status: 'completed' });
  expect(done).toMatchObject({ total_count: 6, sent_count: 2, failed_count: 1, skipped_count: 3, waiting_count: 0 });
  expect(done.started_at).not.toBeNull();
  expect(done.finished_at).not.toBeNull();
  expect(await textsOf(own)).toEqual({
    14155552002: 'Hello Ada of Lovelace!',
    14155552003: 'Hello Grace of !',
    14155550000: 'Hello No WhatsApp of !',
  });
  const all = await recipients(own, campaign);
  expect(all.total).toBe(6);
  expect(all.data.map(({ name, status, error, error_code: code }) => [name, status, error, code])).toEqual([
    ['Ada', 'sent', null, null],
    ['Grace', 'sent', null, null],
    ['No WhatsApp', 'failed', 'This number is not on WhatsApp', 'not_on_whatsapp'],
    ['Bad number', 'skipped', 'The phone number is not valid', 'invalid_number'],
    ['Gone', 'skipped', 'Opted out of messages', 'opted_out'],
    ['Field', 'skipped', 'Opted out of messages', 'opted_out'],
  ]);
  expect(await recipients(own, campaign, { status: 'skipped', pageSize: 2, page: 2 })).toMatchObject({
    total: 3,
    data: [{ name: 'Field' }],
  });
  const { body: messages } = await own.customer.api.call(listMessages, {
    params: { projectId: own.projectId },
    query: { campaign_id: campaign.id },
  });
  expect(messages.total).toBe(3);
});

test('a thousand recipients: one message each, and the counts add up all along', async () => {
  const own = await makeScene(app, 1000);
  const campaign = await create(own);
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const now = await get(own, campaign);
        seen.add(now.sent_count);
        expectToAddUp(now);
        return now.status;
      },
      { interval: 10 },
    )
    .toBe('completed');
  expect(seen.size).toBeGreaterThan(2);
  const { rows } = await app.ctx.pool.query(
    `select count(*) as messages, count(distinct profile_id) as profiles, count(distinct recipient) as numbers
       from messages where campaign_id = $1`,
    [campaign.id],
  );
  expect(rows).toEqual([{ messages: 1000, profiles: 1000, numbers: 1000 }]);
});

test('empty for a profile, or too long for it, is skipped with the reason', async () => {
  const own = await makeScene(app, [
    { name: 'Ada', custom_fields: { greeting: 'Hi' } },
    { name: 'Empty' },
    { name: 'Long', custom_fields: { greeting: 'x'.repeat(4100) } },
  ]);
  const campaign = await create(own, { message: '{greeting}' });
  await until(own, campaign, { status: 'completed', sent_count: 1, skipped_count: 2 });
  expect((await recipients(own, campaign, { status: 'skipped' })).data.map(({ error }) => error)).toEqual([
    'The message is empty for this profile',
    'The message is longer than 4096 characters for this profile',
  ]);
});

test('a profile that is gone, or opted out, by its turn is skipped; a changed one is read as it is then', async () => {
  const own = await makeScene(app, 4, { hasPhone: false });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', waiting_for: 'no_connected_phone' });
  const { data } = await recipients(own, campaign);
  const [gone, out, changed] = data.map(({ profile_id }) => profile_id);
  await app.ctx.pool.query('delete from profiles where id = $1', [gone]);
  await own.customer.api.call(updateProfile, { params: { profileId: out ?? 0 }, body: { status: 'opted-out' } });
  const body = { name: 'Renamed', phone: '14155559876' };
  await own.customer.api.call(updateProfile, { params: { profileId: changed ?? 0 }, body });
  await connectSandboxPhone(own.customer, own.projectId);
  await until(own, campaign, { status: 'completed', sent_count: 2, skipped_count: 2, waiting_for: null });
  const outcomes = (await recipients(own, campaign)).data;
  expect(outcomes.map(({ phone, is_profile_deleted: isGone, error }) => [phone, isGone, error])).toEqual([
    ['14155551002', true, 'The profile was deleted'],
    ['14155551003', false, 'Opted out of messages'],
    ['14155559876', false, null],
    ['14155551005', false, null],
  ]);
  expect(await textsOf(own)).toMatchObject({ 14155559876: 'Hello Renamed!' });
});

test.each<[string, number | Partial<NewProfile>[], string]>([
  ['an empty segment', 0, 'The segment has no members'],
  ['nobody who can be sent to', [{ status: 'opted_out' }], 'No message could be sent: Opted out of messages'],
  ['nobody who has WhatsApp', [{ phone: '14155550000' }], 'No message could be sent: This number is not on WhatsApp'],
])('%s: failed, with the reason', async (_name, people, error) => {
  const own = await makeScene(app, people);
  const failed = await until(own, await create(own), { status: 'failed', error });
  expect(failed.finished_at).not.toBeNull();
});

test('a full daily maximum keeps the rest waiting, and nothing is lost', async () => {
  const own = await makeScene(app, 10, { hasPhone: false });
  await connectSandboxPhone(own.customer, own.projectId, { max_daily_messages: 6 });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', sent_count: 6, waiting_count: 4, waiting_for: 'daily_limit' });
  await connectSandboxPhone(own.customer, own.projectId);
  await until(own, campaign, { status: 'completed', sent_count: 10, waiting_for: null });
});

test('an ended subscription keeps it waiting', async () => {
  const own = await makeScene(app, 5, { hasPhone: false });
  const campaign = await create(own);
  await until(own, campaign, { waiting_for: 'no_connected_phone' });
  await app.ctx.pool.query(`update accounts set access_until = now() - interval '1 day' where id = $1`, [
    own.customer.id,
  ]);
  const waitingFor = () =>
    app.ctx.pool.query<{ reason: string }>('select waiting_for as reason from campaigns where id = $1', [campaign.id]);
  await app.ctx.pool.query(`select pg_notify('dovepost_campaigns', $1)`, [JSON.stringify([own.customer.id])]);
  await expect.poll(async () => (await waitingFor()).rows[0]?.reason).toBe('subscription');
});

test('late word that a message arrived after all turns a failure round', async () => {
  const own = await makeScene(app, [{ name: 'Ada', phone: '14155550000' }]);
  const campaign = await create(own);
  await until(own, campaign, { status: 'failed', failed_count: 1 });
  const { body } = await own.customer.api.call(listMessages, { params: { projectId: own.projectId }, query: {} });
  const [message] = body.data;
  if (!message) throw new Error('No message was stored');
  const source = { accountId: own.customer.id, projectId: own.projectId, at: new Date() };
  const sent = { ...source, type: 'message.sent', data: message } as const;
  for (const event of [sent, sent]) await inTransaction(app.ctx, (tx) => app.ctx.onDomainEvents(tx, [event]));
  await until(own, campaign, { status: 'completed', sent_count: 1, failed_count: 0, error: null });
  expect((await recipients(own, campaign)).data).toMatchObject([{ status: 'sent', error: null }]);
});
