import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getCurrentUser, register, updateCurrentUser } from '#contracts/accounts.ts';
import { createBulkRun, listBulkRows } from '#contracts/bulk-runs.ts';
import { openConversation } from '#contracts/conversations.ts';
import { sendBatch } from '#contracts/message-batches.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { findKnownNumbers } from '#contracts/phone-answers.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile, updateProfile, upsertProfile } from '#contracts/profiles.ts';
import { addSuppression, getSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

const suggested = expect.arrayContaining(['+14155550199']) as unknown;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** A customer with a connected phone; `country` is the default country. */
async function scene(country: string | null, phoneNumber = '442070001234') {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id, { phone_number: phoneNumber });
  await customer.api.call(updateCurrentUser, { body: { default_country: country } });
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const send = async (to: string) => (await byKey.call(sendMessage, { body: { to, message: 'Hi' } })).body.to;
  const refuseSend = async (to: string) => (await byKey.refuse(sendMessage, { body: { to, message: 'Hi' } })).body;
  return { api: customer.api, project, phone, byKey, send, refuseSend };
}

describe('sending', () => {
  test.each([
    ['US', '415 555 0199', '14155550199'],
    ['PT', '912100017', '351912100017'],
    ['CH', '14155550199', '14155550199'],
    [null, '351912100017', '351912100017'],
    ['US', '00351 912 100 017', '351912100017'],
    [null, '+1 200 555 0199', '12005550199'],
    [null, '551187654321', '551187654321'],
    [null, '5215551234567', '5215551234567'],
    [null, '14155550009', '14155550009'],
  ])('in %s, %s goes to %s', async (country, to, expected) => {
    expect(await (await scene(country)).send(to)).toBe(expected);
  });

  test.each([['CH'], [null]])('in %s a number that neither reading makes assignable is refused', async (country) => {
    expect(await (await scene(country)).refuseSend('415 555 0199')).toMatchObject({
      code: 'number_not_clear',
      errors: [{ path: 'to' }],
      suggestions: suggested,
    });
  });

  test('suggestions come from the countries of phones, then of contacts, then from common ones', async () => {
    const { api, refuseSend } = await scene(null, '+49 30 23125440');
    await api.call(createProfile, { body: { phone: '+62 812 3456 7890' } });
    const { suggestions } = await refuseSend('0812 3456 789');
    expect(suggestions?.slice(0, 2)).toEqual(['+498123456789', '+628123456789']);
    expect(await refuseSend('11111111111111')).toMatchObject({ code: 'number_not_clear', suggestions: [] });
  });

  test('a number that a conversation, a phone or a profile has stands as full digits', async () => {
    const { api, phone, project, send, refuseSend } = await scene('US');
    await api.call(receiveSandboxMessage, {
      params: { phoneId: phone.id },
      body: { from: '+4155550177', message: 'Hello' },
    });
    await api.call(addPhoneNumber, { params: { projectId: project.id }, body: { phone_number: '+4155550188' } });
    await api.call(createProfile, { body: { phone: '+41 5555 0199' } });
    for (const known of ['4155550177', '4155550188', '41 555 501 99']) {
      expect(await send(known)).toBe(known.replaceAll(' ', ''));
    }
    expect(await send('415 555 0166')).toBe('14155550166');
    const asked = ['4155550177', '4155550188', '4155550199', '4155550166', '14155550199'];
    const { body } = await api.call(findKnownNumbers, { body: { numbers: asked } });
    expect(body.known.toSorted()).toEqual(asked.slice(0, 3));
    await api.call(updateCurrentUser, { body: { default_country: null } });
    await api.call(createProfile, { body: { phone: '415 555 0155' } });
    expect(await refuseSend('415 555 0155')).toMatchObject({ code: 'number_not_clear' });
  });

  test('a batch reads each line, and tells suggestions with the line', async () => {
    const { byKey } = await scene('PT');
    const lines = ['912100017', '415 555 0199', '12', '+1 200 555 0199'].map((to) => ({ to, message: 'Hi' }));
    const { body } = await byKey.call(sendBatch, { body: { messages: lines } });
    expect(body.data).toMatchObject([
      { status: 'pending' },
      { error: { code: 'number_not_clear', suggestions: suggested } },
      { error: { code: 'invalid_input', message: 'to: Invalid number' } },
      { status: 'pending' },
    ]);
  });
});

test('adding a phone, a conversation, an opt-out and rows of a run refuse what is not clear and read what is', async () => {
  const { api, project } = await scene('PT');
  const params = { projectId: project.id };
  const notClear = { status: 422, body: { code: 'number_not_clear', suggestions: suggested } };
  const given = '415 555 0199';
  expect(await api.refuse(addPhoneNumber, { params, body: { phone_number: given } })).toMatchObject(notClear);
  expect(await api.refuse(openConversation, { body: { project_id: project.id, phone: given } })).toMatchObject(
    notClear,
  );
  expect(await api.refuse(addSuppression, { body: { phone: given } })).toMatchObject(notClear);
  const run = (to: string) => ({ project_id: project.id, message: 'Hi', rows: [{ to }] });
  expect(await api.refuse(createBulkRun, { body: run(given) })).toMatchObject(notClear);

  const added = await api.call(addPhoneNumber, { params, body: { phone_number: '912 100 017' } });
  expect(added.body.phone_number).toBe('351912100017');
  const opened = await api.call(openConversation, { body: { project_id: project.id, phone: '912 100 018' } });
  expect(opened.body.phone).toBe('351912100018');
  const { body: made } = await api.call(createBulkRun, { body: run('912 100 019') });
  const { body: rows } = await api.call(listBulkRows, { params: { runId: made.id }, query: {} });
  expect(rows.data).toMatchObject([{ phone: '351912100019' }]);
});

test('an opt-out is found and lifted by the number as it is dialled, and as it is listed', async () => {
  const { api } = await scene('PT');
  const { body: first } = await api.call(addSuppression, { body: { phone: '912 100 017' } });
  expect(first.phone).toBe('351912100017');
  await api.call(addSuppression, { body: { phone: '+41 5555 0199' } });
  for (const phone of ['912100017', '351912100017', '4155550199', '415 555 0199']) {
    const { body } = await api.call(getSuppression, { params: { phone } });
    expect([phone, body.opted_out]).toEqual([phone, true]);
  }
  await api.call(removeSuppression, { params: { phone: '912100017' }, query: { reason: 'Asked again' } });
  const { body } = await api.call(getSuppression, { params: { phone: '+351912100017' } });
  expect(body).toMatchObject({ phone: '351912100017', opted_out: false });
});

test('a file of opt-outs reads national numbers, and rejects the lines that are not clear', async () => {
  const { api } = await scene('PT');
  const { body: user } = await api.call(getCurrentUser);
  const response = await fetch(`${app.url}/api/suppressions/import`, {
    method: 'POST',
    headers: { authorization: user.user.api_key ?? '', 'content-type': 'text/csv' },
    body: 'phone\n912 100 017\n415 555 0199\nnobody\n00351912100018\n',
  });
  expect(await response.json()).toMatchObject({
    added: 2,
    rejected: 2,
    rejected_lines: [
      { line: 3, reason: expect.stringContaining('Not clear') as unknown },
      { line: 4, reason: 'Invalid number' },
    ],
  });
});

describe('profiles', () => {
  test('are read in the default country, and kept where that makes nothing assignable', async () => {
    const { api } = await scene('PT');
    const make = async (body: { phone: string; country_code?: string }) =>
      (await api.call(upsertProfile, { body })).body;
    expect(await make({ phone: '912 100 017' })).toMatchObject({
      phone: '351912100017',
      phone_given: '912 100 017',
      country_code: 'PT',
      phone_is_valid: true,
    });
    expect(await make({ phone: '415 555 0199' })).toMatchObject({ phone: '4155550199', phone_is_valid: false });
    expect(await make({ phone: '415 555 0199', country_code: 'US' })).toMatchObject({ phone: '14155550199' });
    expect(await make({ phone: '0044 20 7946 0018' })).toMatchObject({ phone: '442079460018', country_code: 'GB' });
  });

  test('a changed number is read as another country’s where its full digits are, and refused like one with a plus', async () => {
    const { api } = await scene(null);
    const { body } = await api.call(createProfile, { body: { phone: '+1 415 555 0199' } });
    const params = { profileId: body.id };
    const changed = await api.call(updateProfile, { params, body: { phone: '415 555 0188' } });
    expect(changed.body).toMatchObject({ phone: '14155550188', country_code: 'US' });
    for (const phone of ['351912100017', '+351912100017']) {
      const refused = await api.refuse(updateProfile, { params, body: { phone } });
      expect(refused.body.errors).toMatchObject([{ path: 'country_code' }]);
    }
    const moved = await api.call(updateProfile, { params, body: { phone: '351912100017', country_code: null } });
    expect(moved.body).toMatchObject({ phone: '351912100017', country_code: 'PT' });
  });
});

test('a simulated message comes from the number as it is understood, else from its full digits', async () => {
  const { api, phone } = await scene('PT');
  const receive = async (from: string) => {
    const call = { params: { phoneId: phone.id }, body: { from, message: 'Hello' } };
    return (await api.call(receiveSandboxMessage, call)).body.from;
  };
  expect(await receive('912 100 017')).toBe('351912100017');
  expect(await receive('415 555 0199')).toBe('4155550199');
});

describe('the default country', () => {
  test.each([
    ['Europe/Lisbon', 'en-US,en;q=0.9', 'PT'],
    ['Asia/Kolkata', undefined, 'IN'],
    ['UTC', undefined, null],
    ['UTC', 'en', null],
    [undefined, 'pt-BR,pt;q=0.9', 'BR'],
    [undefined, '*', null],
  ])('of somebody in %s who reads %s is %s', async (timezone, language, expected) => {
    const api = createApiClient(app.url, language === undefined ? {} : { 'accept-language': language });
    const email = `${crypto.randomUUID()}@example.com`;
    const body = { name: 'Ada', email, password: 'correct horse battery', ...(timezone && { timezone }) };
    expect((await api.call(register, { body })).body.user.default_country).toBe(expected);
  });

  test('is changed and read with the user, and refused where there is no such country', async () => {
    const { api } = await scene(null);
    const change = async (country: string | null) =>
      (await api.call(updateCurrentUser, { body: { default_country: country } })).body.default_country;
    expect(await change('pt')).toBe('PT');
    expect((await api.call(getCurrentUser)).body.user.default_country).toBe('PT');
    expect(await change(null)).toBeNull();
    const refused = await api.refuse(updateCurrentUser, { body: { default_country: 'XX' } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'default_country' }] } });
  });
});
