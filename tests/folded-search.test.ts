import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversations } from '#contracts/conversations.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { sendMessage } from '#contracts/messages.ts';
import { createProfile, listProfileFieldValues, listProfiles, listProfileTags } from '#contracts/profiles.ts';
import { createTemplate, listTemplates } from '#contracts/saved-templates.ts';
import { createSegment, listSegments } from '#contracts/segments.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;
let customer: Customer;

beforeAll(async () => {
  app = await startTestApplication();
  customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const profile = {
    phone: '14155550201',
    name: 'Nguyễn Đình Łukasz',
    custom_fields: { city: 'Zürich' },
    tags: ['café'],
  };
  await customer.api.call(createProfile, { body: profile });
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  await byKey.call(sendMessage, { headers: {}, body: { to: profile.phone, message: 'Crème brûlée' } });
  const condition = { fieldPath: 'name', operator: 'exists' as const, value: '' };
  await customer.api.call(createSegment, { body: { name: 'Nguyễn Đình', condition } });
  await customer.api.call(createTemplate, { body: { name: 'Đặng', message: 'Hi' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

test.each(['nguyen', 'Nguyễn', 'NGUYỄN', 'dinh', 'łukasz', 'lukasz', 'ng'])('%s finds a name', async (search) => {
  expect((await customer.api.call(listProfiles, { query: { search } })).body.data).toHaveLength(1);
});

test.each(['creme', 'brûlée', 'brulee', 'Nguyen', 'dinh'])('%s finds messages and conversations', async (search) => {
  expect((await customer.api.call(searchMessages, { query: { search } })).body.data).toHaveLength(1);
  expect((await customer.api.call(listConversations, { query: { search } })).body.data).toHaveLength(1);
});

test('folds accents among texts beside a search, values, tags, segments and templates', async () => {
  const { api } = customer;
  const texts = await api.call(searchMessages, { query: { search: 'nguyen', text: 'creme brulee' } });
  expect(texts.body.data).toHaveLength(1);
  const values = await api.call(listProfileFieldValues, { query: { path: 'custom_fields.city', search: 'zurich' } });
  expect(values.body.data).toHaveLength(1);
  expect((await api.call(listProfileTags, { query: { search: 'CAFE' } })).body.data).toHaveLength(1);
  expect((await api.call(listSegments, { query: { search: 'nguyen dinh' } })).body.data).toHaveLength(1);
  expect((await api.call(listTemplates, { query: { search: 'dang' } })).body.data).toHaveLength(1);
});

test('an address with bare letters is redirected to the same address with encoded ones', async () => {
  const answer = await askBare(`GET /api/profiles?search=Nguyễn HTTP/1.1\r\nhost: ${new URL(app.url).host}\r\n\r\n`);
  expect(answer).toContain('HTTP/1.1 308 Permanent Redirect');
  expect(answer).toContain('Location: /api/profiles?search=Nguy%E1%BB%85n\r\n');
  expect(await askBare('GET //elsewhere.example/ễ HTTP/1.1\r\nhost: a\r\n\r\n')).toContain('HTTP/1.1 400 Bad Request');
});

function askBare(request: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}
