import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMessage, sendMessage } from '#contracts/messages.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createSettlementWatch } from './settlement-watch.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

test('a message of this process that was settled past the short way is read once there is news of it', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const { body: message } = await byKey.call(sendMessage, {
    headers: {},
    body: { to: '14155550190', message: 'Hello' },
  });
  const params = { messageId: message.id };
  await expect.poll(async () => (await byKey.call(getMessage, { params })).body.status).toBe('read');

  const watch = createSettlementWatch(app.ctx);
  const awaited = watch.expect(customer.id, message.id);
  awaited.stored({ isSentHere: true });
  await inTransaction(app.ctx, (tx) =>
    publishLive(tx, customer.id, { type: 'messages.changed', project_id: project.id, message_ids: [message.id] }),
  );
  expect(await awaited.settled).toMatchObject({ id: message.id, status: 'read' });
  awaited.cancel();
  watch.close();
});
