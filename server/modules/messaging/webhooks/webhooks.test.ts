import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getProject, updateProjectWebhook } from '#contracts/projects.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import * as contract from '#contracts/webhooks.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { patience } from '#tests/support/patience.ts';
import { startWebhookReceiver, verifyWebhook } from '#tests/webhook-receiver.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await startTestApplication();
});

afterAll(() => application[Symbol.asyncDispose]());

/** A subscriber whose project posts to `webhookUrl`. */
async function customerWith(webhookUrl: string | null) {
  const customer = await signUpSubscriber(application.url);
  const project = await makeProject(customer, webhookUrl);
  const inProject = { params: { projectId: project.id } };
  return { ...customer, project, inProject };
}

type Customer = Awaited<ReturnType<typeof customerWith>>;

async function list({ api, inProject }: Customer, query: { status?: contract.WebhookStatus; page?: number } = {}) {
  return (await api.call(contract.listWebhooks, { ...inProject, query: { ...query, pageSize: 2 } })).body;
}

const newestIs = (customer: Customer, expected: Partial<contract.WebhookRecord>) =>
  vi.waitFor(async () => {
    const [newest] = (await list(customer)).data;
    expect(newest).toMatchObject(expected);
    return newest as contract.WebhookRecord;
  }, patience);

test('a test event arrives, signed with the secret of the project', async () => {
  await using receiver = await startWebhookReceiver();
  const customer = await customerWith(receiver.url);
  const { status, body } = await customer.api.call(contract.sendTestEvent, customer.inProject);
  expect(status).toBe(201);
  expect(body).toMatchObject({ url: receiver.url, status: 'pending', attempts: 0, payload: { type: 'test' } });
  const [webhook] = await receiver.waitFor(1);
  expect(webhook && verifyWebhook(customer.project.webhook_secret, webhook)).toEqual(body.payload);
  expect([body.payload?.id, webhook?.headers['webhook-id']]).toEqual([body.event_id, body.event_id]);
  await newestIs(customer, { id: body.id, status: 'success', attempts: 1, last_status_code: 200 });
});

test("a phone's news arrive", async () => {
  await using receiver = await startWebhookReceiver();
  const { api, inProject, project } = await customerWith(receiver.url);
  const { body: phone } = await api.call(addPhoneNumber, {
    ...inProject,
    body: { phone_number: '351910000002', connector: 'sandbox' },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  const [webhook] = await receiver.waitFor(1);
  expect(webhook && verifyWebhook(project.webhook_secret, webhook)).toMatchObject({
    type: 'phone.connected',
    data: { id: phone.id, phone_number: '351910000002', status: 'connected' },
  });
});

test('a retry goes to the URL of today, under the same id', async () => {
  await using broken = await startWebhookReceiver({ status: 500 });
  await using mended = await startWebhookReceiver();
  const customer = await customerWith(broken.url);
  const { api, inProject } = customer;
  await api.call(contract.sendTestEvent, inProject);
  const { id } = await newestIs(customer, { status: 'pending', attempts: 1, error: 'HTTP 500', last_status_code: 500 });
  await api.call(updateProjectWebhook, { ...inProject, body: { webhook_url: mended.url } });
  const { body } = await api.call(contract.retryWebhook, { params: { webhookId: id } });
  expect(body).toMatchObject({ id, url: mended.url, status: 'pending', error: null, attempts: 1 });
  await newestIs(customer, { id, status: 'success', attempts: 2, error: null });
  expect(mended.received[0]?.headers['webhook-id']).toBe(broken.received[0]?.headers['webhook-id']);
  expect((await list(customer)).total).toBe(1);
});

test('without a URL there is nothing to send to', async () => {
  await using receiver = await startWebhookReceiver();
  const customer = await customerWith(receiver.url);
  const { api, inProject } = customer;
  const { body: record } = await api.call(contract.sendTestEvent, inProject);
  await newestIs(customer, { status: 'success' });
  await api.call(updateProjectWebhook, { ...inProject, body: { webhook_url: null } });
  const refused = { status: 409, body: { code: 'no_webhook_url' } };
  expect(await api.refuse(contract.sendTestEvent, inProject)).toMatchObject(refused);
  expect(await api.refuse(contract.retryWebhook, { params: { webhookId: record.id } })).toMatchObject(refused);
});

test('records are listed newest first, by page and by status', async () => {
  await using receiver = await startWebhookReceiver();
  const customer = await customerWith(receiver.url);
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.unshift((await customer.api.call(contract.sendTestEvent, customer.inProject)).body.id);
  }
  const listed = async (query?: Parameters<typeof list>[1]) => {
    const { data, ...page } = await list(customer, query);
    return { ids: data.map(({ id }) => id), ...page };
  };
  expect(await listed()).toEqual({ ids: ids.slice(0, 2), total: 3, page: 1, pageSize: 2 });
  expect(await listed({ page: 2 })).toEqual({ ids: ids.slice(2), total: 3, page: 2, pageSize: 2 });
  await vi.waitFor(async () => expect((await listed({ status: 'success' })).total).toBe(3), patience);
  expect(await listed({ status: 'failed' })).toEqual({ ids: [], total: 0, page: 1, pageSize: 2 });
});

test("another account's records are not there", async () => {
  await using receiver = await startWebhookReceiver();
  const owner = await customerWith(receiver.url);
  const { body: record } = await owner.api.call(contract.sendTestEvent, owner.inProject);
  const { api } = await signUpSubscriber(application.url);
  for (const refusal of [
    await api.refuse(contract.listWebhooks, { ...owner.inProject, query: {} }),
    await api.refuse(contract.sendTestEvent, owner.inProject),
    await api.refuse(contract.retryWebhook, { params: { webhookId: record.id } }),
  ]) {
    expect(refusal).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('a disabled endpoint takes nothing, and saving its URL again enables it', async () => {
  await using receiver = await startWebhookReceiver({ status: 410 });
  const customer = await customerWith(receiver.url);
  const { api, inProject } = customer;
  const { body: record } = await api.call(contract.sendTestEvent, inProject);
  const isOff = async () => (await api.call(getProject, inProject)).body.webhook_disabled_at !== null;
  await expect.poll(isOff).toBe(true);
  const refused = { status: 409, body: { code: 'webhook_disabled' } };
  expect(await api.refuse(contract.sendTestEvent, inProject)).toMatchObject(refused);
  expect(await api.refuse(contract.retryWebhook, { params: { webhookId: record.id } })).toMatchObject(refused);

  receiver.behave({ status: 200 });
  await api.call(updateProjectWebhook, { ...inProject, body: { webhook_url: receiver.url } });
  expect((await api.call(getProject, inProject)).body).toMatchObject({
    webhook_disabled_at: null,
    webhook_disabled_reason: null,
  });
  await api.call(contract.sendTestEvent, inProject);
  await newestIs(customer, { status: 'success', last_status_code: 200 });
});
