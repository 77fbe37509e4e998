import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewCampaign } from '#contracts/campaigns.ts';
import {
  getConversation,
  listConversations,
  replyToConversation,
  updateConversation,
} from '#contracts/conversations.ts';
import { listMessages } from '#contracts/messages.ts';
import { getOfficialFigures } from '#contracts/official-figures.ts';
import { addPhoneNumber, connectPhone, getPhoneNumber, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { CloudApiStandIn } from './cloud-api/stand-in.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { create, makeScene, recipients, until } from './support/campaign-scene.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import { createTestClock } from './support/test-clock.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

const clock = createTestClock();
const hourMs = 3_600_000;
let meta: CloudApiStandIn;
let whatsApp: WhatsAppStandIn;
let app: TestApplication;

beforeAll(async () => {
  meta = await CloudApiStandIn.listen({ clock });
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { ...meta.settings, WHATSAPP_SOCKET_URL: whatsApp.url }, clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
  await meta.close();
});

async function officialScene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  return { project, ...(await withOfficialNumber(customer, project.id)), send: sendBy(project.auth_key) };
}

const sendBy =
  (key: string) =>
  async (to: string, content: object = { message: 'Hello' }, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': key, ...headers },
      body: JSON.stringify({ to, ...content }),
    });
    return { status: response.status, body: (await response.json()) as { id: number; code?: string } };
  };

async function withOfficialNumber({ api }: Customer, projectId: number) {
  const params = { projectId };
  const { body: phone } = await api.call(addPhoneNumber, {
    params,
    body: { phone_number: meta.number.display, connector: 'cloud', cloud: meta.credentials },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  const callback = new URL(new URL(phone.cloud?.callback_url ?? '').pathname, app.url).href;
  await meta.webhooks.configure(callback, phone.cloud?.verify_token ?? '');
  const records = async () => (await api.call(listMessages, { params, query: {} })).body.data;
  return {
    api,
    phone,
    params,
    records,
    async isWrittenToBy(from: string) {
      const text = randomUUID();
      meta.receiveText(from, text);
      await expect.poll(async () => (await records()).some(({ message }) => message === text)).toBe(true);
    },
    async conversation() {
      const { body } = await api.call(listConversations, { query: {} });
      const conversationId = body.data[0]?.id ?? 0;
      return (await api.call(getConversation, { params: { conversationId } })).body;
    },
  };
}

test('a conversation says until when it is open; a reply after that is refused with the reason', async () => {
  const { api, conversation, isWrittenToBy } = await officialScene();
  await isWrittenToBy('4915110000001');
  const open = await conversation();
  const writtenAt = Math.floor(clock.now().getTime() / 1000) * 1000;
  expect(Date.parse(open.window_expires_at ?? '')).toBe(writtenAt + 24 * hourMs);
  expect(open.sending.can_send).toBe(true);
  clock.advance(24 * hourMs + 1000);
  const shut = await conversation();
  expect(shut.sending).toMatchObject({ can_send: false, reason: 'window_closed' });
  const answer = await api.refuse(replyToConversation, {
    params: { conversationId: shut.id },
    body: { message: 'Too late' },
  });
  expect(answer).toMatchObject({ status: 409, body: { code: 'window_closed' } });
  await isWrittenToBy('4915110000001');
  expect((await conversation()).sending.can_send).toBe(true);
});

test('an answer that the official API has no word for is refused at once, and is no record', async () => {
  const { api, conversation, isWrittenToBy, records } = await officialScene();
  await isWrittenToBy('4915110000008');
  const { id: conversationId } = await conversation();
  const before = (await records()).length;
  const poll = { question: 'Which colour?', options: ['Red', 'Blue'], multiple: false };
  const answer = await api.refuse(replyToConversation, {
    params: { conversationId },
    body: { type: 'poll', poll },
  });
  expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path: 'type' }] } });
  expect(await records()).toHaveLength(before);
});

test("a message of long ago opens no window: the network's time counts", async () => {
  const { send, records } = await officialScene();
  const old = String(Math.floor(clock.now().getTime() / 1000) - 25 * 3600);
  meta.receive('4915110000002', { type: 'text', text: { body: 'Old' }, timestamp: old });
  await expect.poll(async () => (await records()).length).toBe(1);
  expect(await send('4915110000002')).toMatchObject({ status: 409, body: { code: 'window_closed' } });
});

test('a scheduled message whose window has shut by its time fails, and never leaves', async () => {
  const { send, records, isWrittenToBy } = await officialScene();
  await isWrittenToBy('4915110000003');
  const sendAt = new Date(clock.now().getTime() + 30 * hourMs).toISOString();
  expect((await send('4915110000003', { message: 'Later', send_at: sendAt })).status).toBe(202);
  clock.advance(30 * hourMs + 1000);
  await expect
    .poll(async () => (await records()).find(({ message }) => message === 'Later'))
    .toMatchObject({ status: 'failed', error_code: 'window_closed' });
  expect(meta.sent.filter(({ body }) => JSON.stringify(body).includes('Later'))).toEqual([]);
});

test('a message that waits in the outbox is judged again when it is claimed', async () => {
  const { send, records, isWrittenToBy } = await officialScene();
  await isWrittenToBy('4915110000004');
  const asked = meta.requests.length;
  // Over the throughput: it is held for two seconds.
  meta.number.perSecond = 0;
  expect((await send('4915110000004', { message: 'Held' }, { prefer: 'respond-async' })).status).toBe(202);
  await expect.poll(() => meta.requests.slice(asked).some((each) => each.endsWith('/messages'))).toBe(true);
  clock.advance(25 * hourMs);
  meta.number.perSecond = 80;
  await expect
    .poll(async () => (await records()).find(({ message }) => message === 'Held'))
    .toMatchObject({ status: 'failed', error_code: 'window_closed' });
  expect(meta.sent.filter(({ body }) => JSON.stringify(body).includes('Held'))).toEqual([]);
});

test('in a project of both kinds the linked phone takes what the official one may not', async () => {
  const { api, params, send, isWrittenToBy, records } = await officialScene();
  const { body: sandbox } = await api.call(addPhoneNumber, {
    params,
    body: { phone_number: '14155550133', connector: 'sandbox' },
  });
  await api.call(connectPhone, { params: { phoneId: sandbox.id } });
  await isWrittenToBy('4915110000005');
  const { status } = await send('4915110000005');
  expect(status).toBe(200);
  expect((await records())[0]?.from).toBe(meta.number.display);
  // The sandbox has stepped back for good: nothing real goes by it.
  expect(await send('4915110000006')).toMatchObject({ status: 409, body: { code: 'window_closed' } });
});

test('in a project of both kinds a poll goes by the linked phone, and by no other', async () => {
  const { api, params, phone, send, isWrittenToBy, records } = await officialScene();
  const [number, to] = ['5511900770001', '5511900770002'];
  const poll = { type: 'poll', poll: { question: 'Which colour?', options: ['Red', 'Blue'] } };
  whatsApp.contact(to);
  await isWrittenToBy(to);
  expect(await send(to, poll)).toMatchObject({ status: 502, body: { code: 'network_refused' } });
  const linkedId = await scanPhone(whatsApp, api, { ...params, phone_number: number });
  const statusOf = async (phoneId: number) => (await api.call(getPhoneNumber, { params: { phoneId } })).body.status;
  await expect.poll(() => statusOf(linkedId)).toBe('connected');
  expect(await send(to)).toMatchObject({ status: 200, body: { phone_id: phone.id } });
  expect(await send(to, poll)).toMatchObject({ status: 200, body: { phone_id: linkedId } });
  await isWrittenToBy('4915110000007');
  const send_at = new Date(clock.now().getTime() + hourMs).toISOString();
  const { body: later } = await send(to, { ...poll, send_at });
  const { body: text } = await send('4915110000007', { message: 'Hello', send_at });
  clock.advance(hourMs + 60_000);
  const recordOf = async (messageId: number) => (await records()).find(({ id }) => id === messageId);
  await expect.poll(() => recordOf(text.id)).toMatchObject({ status: 'read', phone_id: phone.id });
  expect((await recordOf(later.id))?.phone_id).not.toBe(phone.id);
  await api.call(updatePhoneNumber, { params: { phoneId: linkedId }, body: { max_daily_messages: 1 } });
  expect(await send(to, poll)).toMatchObject({ status: 429, body: { code: 'daily_limit_reached' } });
  expect(await send(to)).toMatchObject({ status: 200, body: { phone_id: phone.id } });
});

test('a campaign counts those outside of their window in its review, and skips them', async () => {
  const scene = await makeScene(app, [{ phone: '4915110000011' }, { phone: '4915110000012' }], { hasPhone: false });
  const { isWrittenToBy } = await withOfficialNumber(scene.customer, scene.projectId);
  await isWrittenToBy('4915110000011');
  const { segment_id, message, project_id } = scene.body;
  const body = { segment_id, message: message ?? '', project_id };
  const { body: review } = await scene.customer.api.call(previewCampaign, { body });
  expect(review).toMatchObject({ will_receive: 1, skipped: { window_closed: 1 } });
  const campaign = await create(scene, { message: 'Spring' });
  await until(scene, campaign, { status: 'completed', sent_count: 1, skipped_count: 1 });
  const { data } = await recipients(scene, campaign, { status: 'skipped' });
  expect(data).toMatchObject([{ phone: '4915110000012', error_code: 'window_closed' }]);
  expect(meta.sent.filter((sent) => JSON.stringify(sent.body).includes('Spring'))).toMatchObject([
    { to: '4915110000011' },
  ]);
});

test("a number's figures tell its windows by the hour in which they shut, what is unread, and how soon it answers", async () => {
  const { api, conversation, isWrittenToBy, phone } = await officialScene();
  const figures = async () => (await api.call(getOfficialFigures, { params: { phoneId: phone.id } })).body;
  const nobody = Array.from({ length: 24 }, () => 0);
  expect(await figures()).toEqual({
    windows: { open: 0, by_hour: nobody, unread_within_hour: 0, wrote_today: 0 },
    first_answers_7d: { count: 0, median_seconds: null },
    sent_24h: 0,
    delivered_24h: 0,
    templates_delivered_7d: 0,
    templates_read_7d: 0,
  });
  // At noon nobody who wrote half an hour less than a day ago did so today.
  clock.advance(24 * hourMs - ((clock.now().getTime() - 12 * hourMs) % (24 * hourMs)));
  await isWrittenToBy('4915110000021');
  clock.advance(23.5 * hourMs);
  await isWrittenToBy('4915110000022');
  clock.advance(6 * 60_000);
  const { id: conversationId } = await conversation();
  await api.call(replyToConversation, { params: { conversationId }, body: { message: 'Yes' } });
  await expect
    .poll(figures)
    .toMatchObject({ sent_24h: 1, delivered_24h: 1, first_answers_7d: { count: 1, median_seconds: 360 } });
  expect((await figures()).windows).toEqual({
    open: 2,
    by_hour: nobody.with(0, 1).with(23, 1),
    unread_within_hour: 1,
    wrote_today: 1,
  });
  const { body: talks } = await api.call(listConversations, { query: {} });
  const unread = talks.data.find((each) => each.phone === '4915110000021');
  await api.call(updateConversation, { params: { conversationId: unread?.id ?? 0 }, body: { read: true } });
  expect((await figures()).windows).toMatchObject({ open: 2, unread_within_hour: 0 });
  clock.advance(hourMs);
  expect((await figures()).windows.open).toBe(1);
});

test('only a number of the official API has such figures', async () => {
  const { api, params } = await officialScene();
  const { body: sandbox } = await api.call(addPhoneNumber, { params, body: { connector: 'sandbox' } });
  const refused = await api.refuse(getOfficialFigures, { params: { phoneId: sandbox.id } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_an_official_number' } });
});
