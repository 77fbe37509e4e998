import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProjectWebhook } from '#contracts/projects.ts';
import * as contract from '#contracts/webhooks.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startWebhookReceiver } from '#tests/webhook-receiver.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await startTestApplication();
});

afterAll(() => application[Symbol.asyncDispose]());

async function customerWith(webhookUrl: string | null) {
  const customer = await signUpSubscriber(application.url);
  const project = await makeProject(customer, webhookUrl);
  const inProject = { params: { projectId: project.id } };
  return {
    ...customer,
    inProject,
    test: () => customer.api.call(contract.sendTestEvent, inProject),
    health: async () => (await customer.api.call(contract.getWebhookHealth, inProject)).body,
  };
}

test('a URL that refuses is failing until it takes one, or until there is another', async () => {
  await using receiver = await startWebhookReceiver({ status: 500 });
  await using other = await startWebhookReceiver();
  const { api, inProject, ...customer } = await customerWith(receiver.url);
  const { body: first } = await customer.test();
  await customer.test();
  await expect.poll(customer.health).toEqual({
    is_failing: true,
    failures: 2,
    error: 'HTTP 500',
    failing_since: first.created_at,
  });
  receiver.behave({ status: 200 });
  await customer.test();
  await expect.poll(customer.health).toMatchObject({ is_failing: false });

  receiver.behave({ status: 404 });
  await customer.test();
  await customer.test();
  await expect.poll(customer.health).toMatchObject({ failures: 2, error: 'HTTP 404' });
  await api.call(updateProjectWebhook, { ...inProject, body: { webhook_url: other.url } });
  expect(await customer.health()).toMatchObject({ is_failing: false, failures: 0 });
});

test('without a URL nothing fails', async () => {
  const customer = await customerWith(null);
  expect(await customer.health()).toEqual({ is_failing: false, failures: 0, failing_since: null, error: null });
});
