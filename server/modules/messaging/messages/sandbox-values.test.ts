import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMessage } from '#contracts/messages.ts';
import { connectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createSandboxConnector } from '#server/connectors/messaging/sandbox/sandbox.ts';
import type { Receipt, SessionEvents } from '#server/connectors/messaging/port.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, expectToAddUp, get, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function sender() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  return {
    async post(to: string) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to, message: 'Hi' }),
      });
      const body = (await response.json()) as { id: number; status: string; code?: string; message_id?: number };
      return { status: response.status, body };
    },
    message: async (messageId: number) => (await customer.api.call(getMessage, { params: { messageId } })).body,
    async phone() {
      const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id } });
      return body.data[0];
    },
    connect: () => customer.api.call(connectPhone, { params: { phoneId: phone.id } }),
  };
}

test('0002: the network refuses it', async () => {
  const from = await sender();
  const { status, body } = await from.post('14155550002');
  expect([status, body.code]).toEqual([502, 'network_refused']);
  expect(await from.message(body.message_id ?? 0)).toMatchObject({ status: 'failed', error_code: 'network_refused' });
});

test('0003: the answer comes late, and not at all once the phone is closed', async () => {
  const receipts: Receipt[] = [];
  const events = {
    onState: () => undefined,
    onReceipts: (news) => void receipts.push(...news),
  } as Partial<SessionEvents>;
  const open = (slowAnswerMs: number) =>
    createSandboxConnector({ clock: app.ctx.clock, slowAnswerMs }).open({
      phoneId: 1,
      expectedNumber: '14155550100',
      credentials: {} as never,
      proxy: undefined,
      findSent: async () => undefined,
      media: {} as never,
      findUnread: async () => [],
      findPreview: async () => undefined,
      rejectsCalls: async () => false,
      takesHistorySince: async () => undefined,
      events: events as SessionEvents,
    });
  const message = (networkId: string) =>
    ({ networkId, to: '14155550003', content: { type: 'text', text: 'Hi' }, quote: null }) as const;
  const soon = open(100);
  const beganAt = performance.now();
  expect(await soon.send(message('A'))).toMatchObject({ kind: 'accepted' });
  expect(performance.now() - beganAt).toBeGreaterThan(95);
  await expect.poll(() => receipts.map(({ status }) => status)).toEqual(['delivered', 'read']);
  await soon.close();
  const never = open(3_600_000);
  const answer = never.send(message('B'));
  await never.close();
  expect(await answer).toMatchObject({ kind: 'unknown', isAttempted: false });
});

test('0004: sent, then failed', async () => {
  const from = await sender();
  const { status, body } = await from.post('14155550004');
  expect([status, body.status]).toEqual([200, 'sent']);
  await expect.poll(() => from.message(body.id)).toMatchObject({ status: 'failed', error_code: 'network_refused' });
  expect((await from.message(body.id)).sent_at).not.toBeNull();
});

test('0004: a campaign counts it as failed, and no longer as sent', async () => {
  const own = await makeScene(app, [{ name: 'Ada' }, { name: 'Lost', phone: '14155550004' }]);
  const campaign = await create(own, { message: 'Hi' });
  await until(own, campaign, { status: 'completed' });
  await expect.poll(() => get(own, campaign)).toMatchObject({ sent_count: 1, failed_count: 1 });
  expectToAddUp(await get(own, campaign));
  const { data } = await recipients(own, campaign, { status: 'failed' });
  expect(data).toMatchObject([{ name: 'Lost', error_code: 'network_refused' }]);
});

test('0005: the phone is limited for those who have not written', async () => {
  const from = await sender();
  const { status, body } = await from.post('14155550005');
  expect([status, body.code]).toEqual([409, 'phones_limited']);
  expect(await from.message(body.message_id ?? 0)).toMatchObject({ error_code: 'account_restricted' });
  const later = await from.post('14155550123');
  expect([later.status, later.body.code]).toEqual([409, 'phones_limited']);
  expect(await from.phone()).toMatchObject({ status: 'connected' });
});

test('0006: it is sent, the phone loses its link, and can be connected again', async () => {
  const from = await sender();
  const { status, body } = await from.post('14155550006');
  expect([status, body.status]).toEqual([200, 'sent']);
  await expect
    .poll(() => from.phone())
    .toMatchObject({ status: 'auth_failed', error: expect.stringContaining('Simulated: the phone lost its link') });
  expect((await from.post('14155550123')).body.code).toBe('no_connected_phone');
  await from.connect();
  await expect.poll(async () => (await from.post('14155550123')).status).toBe(200);
});
