import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockContact, getContact, unblockContact } from '#contracts/contacts.ts';
import { listConversations } from '#contracts/conversations.ts';
import { checkNumber } from '#contracts/phone-answers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { disconnectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { createApiClient } from './support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let whatsApp: WhatsAppStandIn;
let app: TestApplication;
let aheadMs = 0;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({
    env: { WHATSAPP_SOCKET_URL: whatsApp.url },
    clock: { now: () => new Date(Date.now() + aheadMs) },
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

let lastNumber = 5_511_900_500_000;
const nextNumber = () => String((lastNumber += 1));

async function linkedOwner() {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, 'https://example.com/hook');
  const number = nextNumber();
  const phoneId = await scanPhone(whatsApp, api, { projectId: project.id, phone_number: number });
  await expect
    .poll(async () => (await api.call(listPhoneNumbers, { params: { projectId: project.id } })).body.data[0]?.status)
    .toBe('connected');
  const check = async (asked: string) =>
    (await api.call(checkNumber, { params: { phoneId }, query: { number: asked } })).body;
  const refuse = async (asked: string) =>
    (await api.refuse(checkNumber, { params: { phoneId }, query: { number: asked } })).body;
  return { api, customer, project, phoneId, number, check, refuse };
}

test('a number is looked up once a day, and answers with its LID and the number that WhatsApp knows', async () => {
  const { check, project, phoneId } = await linkedOwner();
  const [there, absent, dialled, known] = [nextNumber(), nextNumber(), '5511987650001', '551187650001'];
  whatsApp.contact(absent, { onWhatsApp: false });
  whatsApp.contact(dialled, { knownAs: known });
  const { lid } = whatsApp.contact(there);
  const before = whatsApp.stats().lookUps.numbers;
  expect(await check(`+${there}`)).toEqual({ exists: true, number: there, lid });
  expect(await check(`+${there}`)).toEqual({ exists: true, number: there, lid });
  expect(await check(`+${absent}`)).toEqual({ exists: false, number: absent });
  expect(await check(`+${dialled}`)).toMatchObject({ exists: true, number: known });
  expect(whatsApp.stats().lookUps.numbers).toBe(before + 3);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const { body } = await byKey.call(checkNumber, { params: { phoneId }, query: { number: there } });
  expect(body.exists).toBe(true);
});

test('a number without WhatsApp is looked up again after an hour', async () => {
  const { check } = await linkedOwner();
  const number = nextNumber();
  whatsApp.contact(number, { onWhatsApp: false });
  expect((await check(number)).exists).toBe(false);
  whatsApp.contact(number, { onWhatsApp: true });
  expect((await check(number)).exists).toBe(false);
  aheadMs = 61 * 60_000;
  expect((await check(number)).exists).toBe(true);
  aheadMs = 0;
});

test('look-ups of a day are limited, whatever asks, and the refusal says until when', async () => {
  const { check, refuse, phoneId } = await linkedOwner();
  const known = nextNumber();
  await check(known);
  await app.ctx.pool.query('update number_look_ups set count = 200 where phone_id = $1', [phoneId]);
  const refused = await refuse(nextNumber());
  expect(refused).toMatchObject({ code: 'look_ups_used_up' });
  expect(refused.message).toContain('200');
  expect(refused.message).toMatch(/T00:00:00.000Z/);
  expect((await check(known)).exists).toBe(true);
});

test('a pause of the network, a number that is not clear and a phone without a link are told', async () => {
  const { refuse, api, phoneId } = await linkedOwner();
  expect(await refuse('912')).toMatchObject({ code: 'invalid_input' });
  whatsApp.faults.lookUpError = 429;
  expect(await refuse(nextNumber())).toMatchObject({ code: 'look_ups_paused' });
  whatsApp.faults.lookUpError = undefined;
  await api.call(disconnectPhone, { params: { phoneId } });
  expect(await refuse(nextNumber())).toMatchObject({ code: 'phone_not_connected' });
});

test('a sandbox answers by its recipients', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, project.id);
  const check = async (number: string) =>
    (await customer.api.call(checkNumber, { params: { phoneId }, query: { number } })).body;
  await expect
    .poll(() => check('14155550000').catch(() => undefined))
    .toEqual({ exists: false, number: '14155550000' });
  expect(await check('14155550123')).toEqual({ exists: true, number: '14155550123' });
});

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

test('a contact has the photo and about that WhatsApp shows, fetched once a day', async () => {
  const { api, number, phoneId, project } = await linkedOwner();
  const phone = nextNumber();
  const account = whatsApp.contact(phone);
  Object.assign(account, { about: 'At the harbour ⚓', photo: jpeg, name: 'Ada' });
  await whatsApp.incoming({ from: phone, to: number, text: 'Hello' });
  const get = async () => (await api.call(getContact, { params: { phone } })).body;
  await expect.poll(() => get().catch(() => undefined)).toBeDefined();
  const shown = await get();
  expect(shown).toEqual({
    number: phone,
    lid: account.lid,
    name: 'Ada',
    about: 'At the harbour ⚓',
    photo: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    is_blocked: false,
    phone_id: phoneId,
    fetched_at: expect.any(String) as string,
  });
  Object.assign(account, { about: undefined, photo: undefined });
  expect((await get()).about).toBe('At the harbour ⚓');
  aheadMs = 25 * 60 * 60_000;
  expect(await get()).toMatchObject({ about: null, photo: null });
  aheadMs = 0;
  const { rows } = await app.ctx.pool.query<{ data: unknown }>(
    `select unpacked_json(payload)::jsonb -> 'data' as data from webhook_records where project_id = $1 and type = 'contact.changed'`,
    [project.id],
  );
  expect(rows.map(({ data }) => data)).toMatchObject([
    { phone, lid: account.lid, name: 'Ada', profile_id: null, changed: ['about', 'photo'] },
  ]);
});

test('a contact is blocked and unblocked on WhatsApp', async () => {
  const { api, number } = await linkedOwner();
  const phone = nextNumber();
  await api.call(createProfile, { body: { phone } });
  const { lid } = whatsApp.contact(phone);
  const block = await api.call(blockContact, { params: { phone } });
  expect(block.body.is_blocked).toBe(true);
  expect([...whatsApp.contact(number).blocked]).toEqual([`${lid}@lid`]);
  expect((await api.call(getContact, { params: { phone } })).body.is_blocked).toBe(true);
  expect((await api.call(unblockContact, { params: { phone } })).body.is_blocked).toBe(false);
  expect([...whatsApp.contact(number).blocked]).toEqual([]);
});

test('a person who hides the number has a photo and an about, and is blocked and unblocked, by the LID', async () => {
  const { api, number, project } = await linkedOwner();
  const hidden = nextNumber();
  const account = whatsApp.contact(hidden, { hidesNumber: true });
  Object.assign(account, { about: 'Nobody in particular', photo: jpeg, name: 'Hidden' });
  const phone = `lid:${account.lid}`;
  const unknown = await api.refuse(getContact, { params: { phone } });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  await whatsApp.incoming({ from: hidden, to: number, text: 'Hello', alone: true });
  await expect
    .poll(async () => (await api.call(listConversations, { query: { project_id: project.id } })).body.data.length)
    .toBe(1);
  const lookUps = whatsApp.stats().lookUps.numbers;
  expect((await api.call(getContact, { params: { phone } })).body).toMatchObject({
    number: null,
    lid: account.lid,
    name: 'Hidden',
    about: 'Nobody in particular',
    photo: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    is_blocked: false,
  });
  expect((await api.call(blockContact, { params: { phone } })).body).toMatchObject({ number: null, is_blocked: true });
  expect([...whatsApp.contact(number).blocked]).toEqual([`${account.lid}@lid`]);
  expect((await api.call(unblockContact, { params: { phone } })).body.is_blocked).toBe(false);
  expect([...whatsApp.contact(number).blocked]).toEqual([]);
  expect(whatsApp.stats().lookUps.numbers).toBe(lookUps);
});

test('a number that the account does not know is no contact of it, and without WhatsApp it is told so', async () => {
  const { api } = await linkedOwner();
  const [stranger, absent] = [nextNumber(), nextNumber()];
  const unknown = await api.refuse(getContact, { params: { phone: stranger } });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  await api.call(createProfile, { body: { phone: absent } });
  whatsApp.contact(absent, { onWhatsApp: false });
  const refused = await api.refuse(getContact, { params: { phone: absent } });
  expect([refused.status, refused.body.code]).toEqual([422, 'not_on_whatsapp']);
});
