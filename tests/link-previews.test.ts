import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversationMessages, listConversations, replyToConversation } from '#contracts/conversations.ts';
import { previewLink } from '#contracts/media.ts';
import { editMessage, getMessage, receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let whatsApp: WhatsAppStandIn;
let app: TestApplication;
let base = '';
let asked: (string | undefined)[] = [];

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const site = createServer((request, response) => {
  asked.push(request.url);
  const pictured = request.url === '/pictured' ? '<meta property="og:image" content="/dot.png">' : '';
  const head = `<title>Shop</title><meta name="description" content="Half of it">${pictured}`;
  if (request.url === '/none') response.writeHead(404).end();
  else if (request.url === '/dot.png') response.writeHead(200, { 'content-type': 'image/png' }).end(dot);
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><head>${head}</head></html>`);
});

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

const contact = '5511977770001';

async function linkedOwner(number: string) {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer);
  await scanPhone(whatsApp, api, { projectId: project.id, phone_number: number });
  await expect
    .poll(async () => (await api.call(listPhoneNumbers, { params: { projectId: project.id } })).body.data[0]?.status)
    .toBe('connected');
  return { api, project, byKey: createApiClient(app.url, { 'x-auth-key': project.auth_key }) };
}

async function sandboxOwner() {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, project.id);
  await api.call(receiveSandboxMessage, { params: { phoneId }, body: { from: contact, message: 'Hi' } });
  const { data } = (await api.call(listConversations, { query: { project_id: project.id } })).body;
  const conversationId = data[0]?.id ?? 0;
  const reply = async (body: { message: string; preview?: boolean; mentions?: string[] }) =>
    (await api.call(replyToConversation, { params: { conversationId }, body })).body;
  const thread = async () => (await api.call(listConversationMessages, { params: { conversationId }, query: {} })).body;
  return { api, customer, project, reply, thread };
}

test('a message keeps the preview that its link went with, until another wording has no such link', async () => {
  const { api, byKey } = await linkedOwner('5511900600001');
  const url = `${base}/sent`;
  const { body: sent } = await byKey.call(sendMessage, { body: { to: contact, message: `Look: ${url}.` } });
  const preview = { url, title: 'Shop', description: 'Half of it', picture: null };
  expect(sent.context).toMatchObject({ preview, forwarded: false, mentions: [] });
  const plain = { to: contact, message: `Look: ${url}`, preview: false };
  expect((await byKey.call(sendMessage, { body: plain })).body.context).toBeNull();
  const params = { messageId: sent.id };
  await byKey.call(editMessage, { params, body: { message: 'Look there' } });
  expect((await api.call(getMessage, { params })).body.context).toBeNull();
});

test('the picture of a page is shown with the message that went with it', async () => {
  const { api, byKey } = await linkedOwner('5511900600003');
  const { body: sent } = await byKey.call(sendMessage, { body: { to: contact, message: `${base}/pictured` } });
  const { context } = (await api.call(getMessage, { params: { messageId: sent.id } })).body;
  expect(context?.preview?.picture).toMatch(/^data:image\/jpeg;base64,\/9j\//);
});

test('the preview that comes with a link is shown, and no page is asked for it', async () => {
  const number = '5511900600002';
  const { api, project } = await linkedOwner(number);
  asked = [];
  const jpegThumbnail = Buffer.from([0xff, 0xd8, 0xff]);
  const preview = { matchedText: `${base}/came`, title: 'Theirs', description: 'Their words', jpegThumbnail };
  const message = { extendedTextMessage: { text: `See ${base}/came`, ...preview } };
  await whatsApp.incoming({ from: contact, to: number, text: '', message });
  const conversation = async () =>
    (await api.call(listConversations, { query: { project_id: project.id } })).body.data[0]?.id;
  await expect.poll(conversation).toBeTruthy();
  const params = { conversationId: (await conversation()) ?? 0 };
  const { data } = (await api.call(listConversationMessages, { params, query: {} })).body;
  expect(data[0]?.context?.preview).toEqual({
    url: `${base}/came`,
    title: 'Theirs',
    description: 'Their words',
    picture: 'data:image/jpeg;base64,/9j/',
  });
  expect(asked).toEqual([]);
});

test('somebody who writes sees the preview, and the reply keeps it unless it is left out', async () => {
  const { api, reply } = await sandboxOwner();
  asked = [];
  const url = `${base}/typed`;
  const look = async (address: string) => (await api.call(previewLink, { query: { url: address } })).body.preview;
  const preview = { url, title: 'Shop', description: 'Half of it' };
  expect(await look(url)).toEqual({ ...preview, picture: null });
  expect(await look(url)).toEqual({ ...preview, picture: null });
  expect(asked).toEqual(['/typed']);
  expect(await look(`${base}/none`)).toBeNull();
  expect((await reply({ message: `See ${url}` })).context).toMatchObject({ preview });
  expect((await reply({ message: `See ${url}`, preview: false })).context).toBeNull();
  expect((await reply({ message: `See ${base}/none` })).context).toBeNull();
  const refused = await api.refuse(previewLink, { query: { url: 'ftp://example.com/x' } });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'url' }] } });
});

test('previews of one account do not show another what it looked at, nor ask many pages at once', async () => {
  const [first, other] = [await sandboxOwner(), await sandboxOwner()];
  const url = `${base}/own`;
  await first.api.call(previewLink, { query: { url } });
  expect((await other.reply({ message: `See ${url}` })).context).toBeNull();
  const many = Array.from({ length: 12 }, (_, index) => `${base}/many${index}`);
  const answers = await Promise.all(many.map((each) => first.api.call(previewLink, { query: { url: each } })));
  const shown = answers.filter(({ body }) => body.preview !== null);
  expect(shown.length).toBeGreaterThan(0);
  expect((await first.api.call(previewLink, { query: { url: `${base}/later` } })).body.preview).not.toBeNull();
});

test('a thread and the list name those whom messages mention, where a contact has a name', async () => {
  const { api, reply, thread } = await sandboxOwner();
  const [known, unknown] = ['5511988887701', '5511988887702'];
  await api.call(createProfile, { body: { name: 'Ana Lima', phone: known } });
  const mentions = [`+${known}`, `+${unknown}`];
  const sent = await reply({ message: `Ask @${known} or @${unknown}`, mentions });
  expect(sent.context?.mentions).toEqual([known, unknown]);
  expect((await thread()).mentioned).toEqual([{ person: known, name: 'Ana Lima' }]);
  const list = async () => (await api.call(listConversations, { query: {} })).body;
  await expect.poll(async () => (await list()).data[0]?.last_message?.id).toBe(sent.id);
  expect((await list()).mentioned).toEqual([{ person: known, name: 'Ana Lima' }]);
  const stranger = await sandboxOwner();
  await stranger.reply({ message: `Ask @${known}`, mentions: [`+${known}`] });
  expect((await stranger.thread()).mentioned).toEqual([]);
});
