import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { addPhoneNumber, connectPhone, getPhoneNumber } from '#contracts/phone-numbers.ts';
import { startTestApplication } from './support/application.ts';
import { createApiClient } from './support/api-client.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

test('a number whose worker ends between the scan and the first connection is as new as any that was just linked', async () => {
  const whatsApp = await WhatsAppStandIn.listen();
  onTestFinished(() => whatsApp.close());
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const options = {
    connectionString: database.applicationConnectionString,
    secretKey: randomBytes(32),
    env: { WHATSAPP_SOCKET_URL: whatsApp.url },
  };
  const first = await startTestApplication(options);
  onTestFinished(() => first[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(first.url);
  const project = await makeProject(customer);
  const phone_number = '5511900700001';
  const { body: phone } = await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number },
  });
  const params = { phoneId: phone.id };
  const { body: link } = await customer.api.call(connectPhone, { params });
  if (!('qr_payload' in link)) throw new Error('No code was offered');

  whatsApp.faults.answersLogins = false;
  await whatsApp.scan(link.qr_payload, phone_number);
  await expect
    .poll(async () => {
      const asked = 'select 1 from phones where id = $1 and link_expires_at is null';
      return (await first.ctx.pool.query(asked, [phone.id])).rows.length;
    })
    .toBe(1);
  await first.stop();

  whatsApp.faults.answersLogins = true;
  const next = await startTestApplication(options);
  onTestFinished(() => next[Symbol.asyncDispose]());
  const api = createApiClient(next.url, { authorization: customer.token });
  const read = async () => (await api.call(getPhoneNumber, { params })).body;
  await expect.poll(async () => (await read()).status).toBe('connected');
  await expect.poll(async () => (await read()).health).toMatchObject({ state: 'warming' });
  expect(await read()).toMatchObject({ waiting_for: 'phone_linked_recently' });
});
