import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversations } from '#contracts/conversations.ts';
import { sendBatch } from '#contracts/message-batches.ts';
import { getMessage, sendMessage } from '#contracts/messages.ts';
import { addSuppression, getSuppression, removeSuppression } from '#contracts/suppressions.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import { receiveMessage } from '#server/modules/messaging/messages/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

const lid = '99887766554433';
const number = '14155550123';
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A project with two numbers; a person who hides the number has written to the second one. */
async function scene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const phone = await connectSandboxPhone(customer, project.id);
  const receiving = {
    accountId: customer.id,
    projectId: project.id,
    phoneId: phone.id,
    number: phone.phone_number ?? '',
  };
  const receive = (peer: Peer, text: string) =>
    receiveMessage(app.ctx, receiving, {
      networkId: `NET-${text}`,
      peer,
      isFromHandset: false,
      at: new Date(),
      content: { type: 'text', text },
    });
  await receive({ lid }, 'Hello');
  const api = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const { body } = await customer.api.call(listConversations, { query: {} });
  return {
    customer,
    phone,
    api,
    receive,
    conversationId: body.data[0]?.id ?? 0,
    send: (sent: Parameters<typeof api.call<typeof sendMessage>>[1]['body']) =>
      api.call(sendMessage, { headers: {}, body: sent }),
    refuse: async (sent: object) => {
      const { status, body: problem } = await api.refuse(sendMessage, { headers: {}, body: sent as never });
      return [status, problem.errors ?? problem.code];
    },
  };
}

test('a person who hides the number is reached by LID and by conversation, through the phone they wrote to', async () => {
  const { send, api, phone, conversationId } = await scene();
  const shown = { to: null, from_lid: lid, phone_id: phone.id, status: 'sent' };
  for (const to of [{ lid }, { lid: `${lid}@lid` }, { lid: `lid:${lid}` }, { conversation_id: conversationId }]) {
    const { status, body } = await send({ to, message: 'Hi' });
    expect([status, body]).toMatchObject([200, shown]);
  }
  const lines = [
    { to: { lid }, message: 'One' },
    { to: { conversation_id: conversationId }, message: 'Two' },
    { to: { conversation_id: 999_999_999 }, message: 'Three' },
  ];
  const { body } = await api.call(sendBatch, { body: { messages: lines } });
  const message = 'to.conversation_id: No conversation of this project has that id';
  expect(body.data).toMatchObject([{ status: 'pending' }, { status: 'pending' }, { error: { message } }]);
  const read = async (messageId = 0) => (await api.call(getMessage, { params: { messageId } })).body;
  await expect.poll(() => read(body.data[0]?.id)).toMatchObject({ to: null, from_lid: lid, status: 'sent' });
});

test('a recipient who cannot be reached is refused at its field', async () => {
  const { refuse, conversationId } = await scene();
  const other = await scene();
  const at = (path: string, message: string) => [422, [{ path, message }]];
  const noConversation = at('to.conversation_id', 'No conversation of this project has that id');
  expect(await refuse({ to: { conversation_id: other.conversationId }, message: 'Hi' })).toEqual(noConversation);
  expect(await refuse({ to: { lid: 'me' }, message: 'Hi' })).toEqual(at('to.lid', 'Enter the digits of a LID'));
  const noPerson = at('to', 'Enter a phone number, a conversation_id or a lid');
  expect(await refuse({ to: {}, message: 'Hi' })).toEqual(noPerson);
  expect(await refuse({ to: { conversation_id: 'x' }, message: 'Hi' })).toEqual(noPerson);
  expect(await refuse({ message: 'Hi' })).toEqual(at('to', 'Enter a phone number'));
  expect(await refuse({ to: 'nobody', message: 'Hi' })).toEqual(at('to', 'Invalid number'));
  expect(await refuse({ to: { lid, number }, message: 'Hi' })).toEqual(at('to.number', 'Unknown field number'));
  expect(await refuse({ to: number, type: 'number_request' })).toEqual(
    at('type', 'The number of this person is known'),
  );
  const template = { type: 'template', template: { name: 'a', language: 'en' } };
  expect(await refuse({ to: { conversation_id: conversationId }, ...template })).toEqual(
    at('type', 'A template goes to a number, which is not known of this person'),
  );
});

test('the list of who is left alone knows a LID, and the number behind it once that is learnt', async () => {
  const { customer, refuse, send, receive } = await scene();
  const added = await customer.api.call(addSuppression, { body: { phone: `lid:${lid}`, note: 'Asked' } });
  expect(added.body).toMatchObject({ phone: `lid:${lid}`, by: 'user', note: 'Asked' });
  expect(await refuse({ to: { lid }, message: 'Hi' })).toEqual([409, 'opted_out']);
  const find = async (phone: string) => (await customer.api.call(getSuppression, { params: { phone } })).body;
  expect(await find(`lid:${lid}`)).toMatchObject({ opted_out: true, log: [{ action: 'opted_out' }] });

  await receive({ number, lid }, 'It is me');
  expect(await find(number)).toMatchObject({ opted_out: true, suppression: { note: 'Asked' } });
  expect(await refuse({ to: { lid }, message: 'Hi' })).toEqual([409, 'opted_out']);
  const lift = { params: { phone: `lid:${lid}` }, query: { reason: 'Came back' } };
  expect((await customer.api.call(removeSuppression, lift)).status).toBe(204);
  expect((await send({ to: { lid }, message: 'Hi' })).body).toMatchObject({ to: number, status: 'sent' });
});
