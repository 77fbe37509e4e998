import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { changePhoneProfile, getPhoneProfile } from '#contracts/phone-profile.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let whatsApp: WhatsAppStandIn;
let app: TestApplication;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

let lastNumber = 5_511_900_700_000;

async function linkedOwner() {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, 'https://example.com/hook');
  const number = String((lastNumber += 1));
  const phoneId = await scanPhone(whatsApp, api, { projectId: project.id, phone_number: number });
  await expect
    .poll(async () => (await api.call(listPhoneNumbers, { params: { projectId: project.id } })).body.data[0]?.status)
    .toBe('connected');
  return { customer, api, project, phoneId, account: whatsApp.contact(number) };
}

async function uploadPicture(customer: Customer, width: number, height: number): Promise<string> {
  const picture = await sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const response = await fetch(`${app.url}/api/media`, {
    method: 'POST',
    headers: { authorization: customer.token },
    body: new Uint8Array(picture),
  });
  return ((await response.json()) as { id: string }).id;
}

test('name, about and photo are changed, read, and taken away', async () => {
  const { customer, api, phoneId, account } = await linkedOwner();
  const params = { phoneId };
  const id = await uploadPicture(customer, 900, 300);
  const body = { name: 'Northwind Tea', about: 'Every day from 9 to 18', photo: { id } };
  const { body: changed } = await api.call(changePhoneProfile, { params, body });
  expect(changed).toMatchObject({ name: 'Northwind Tea', about: 'Every day from 9 to 18' });
  expect(changed.photo).toMatch(/^data:image\/jpeg;base64,/);
  expect(account).toMatchObject({ name: 'Northwind Tea', about: 'Every day from 9 to 18' });
  expect(await sharp(account.photo).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 640 });
  expect((await api.call(getPhoneProfile, { params })).body).toEqual(changed);
  const renamed = await api.call(changePhoneProfile, { params, body: { name: 'Southwind' } });
  expect(renamed.body).toEqual({ ...changed, name: 'Southwind' });
  expect(account.name).toBe('Southwind');
  const same = await api.call(changePhoneProfile, { params, body: renamed.body as object });
  expect(same.body).toEqual(renamed.body);
  const { body: bare } = await api.call(changePhoneProfile, { params, body: { about: null, photo: null } });
  expect(bare).toEqual({ name: 'Southwind', about: null, photo: null });
  expect([account.about, account.photo]).toEqual([undefined, undefined]);
});

test.each<[string, object, string]>([
  ['a name that is too long', { name: 'x'.repeat(26) }, 'name'],
  ['an empty name', { name: ' ' }, 'name'],
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['an about that is too long', { about: 'x'.repeat(140) }, 'about'],
  ['a file that is not there', { photo: { id: 'nothing' } }, 'photo.id'],
  ['nothing at all', {}, ''],
])('%s is refused', async (_case, body, path) => {
  const { api, phoneId } = await linkedOwner();
  const refused = await api.refuse(changePhoneProfile, { params: { phoneId }, body });
  expect(refused.status).toBe(422);
  expect(refused.body.errors?.[0]?.path ?? '').toBe(path);
});

test('a file that is no picture is refused', async () => {
  const { customer, api, phoneId } = await linkedOwner();
  const pdf = await fetch(`${app.url}/api/media`, {
    method: 'POST',
    headers: { authorization: customer.token },
    body: '%PDF-1.7',
  });
  const { id } = (await pdf.json()) as { id: string };
  const refused = await api.refuse(changePhoneProfile, { params: { phoneId }, body: { photo: { id } } });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'photo.id' }] } });
});

test('sandboxes, numbers that are not connected, and those of others have none', async () => {
  const { customer, api, project, phoneId } = await linkedOwner();
  const sandbox = await connectSandboxPhone(customer, project.id);
  const body = { about: 'Tea' };
  for (const refused of [
    await api.refuse(changePhoneProfile, { params: { phoneId: sandbox.id }, body }),
    await api.refuse(getPhoneProfile, { params: { phoneId: sandbox.id } }),
  ])
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_supported' } });
  const other = await signUpSubscriber(app.url);
  expect((await other.api.refuse(changePhoneProfile, { params: { phoneId }, body })).status).toBe(404);
  await api.call(disconnectPhone, { params: { phoneId } });
  const refused = await api.refuse(changePhoneProfile, { params: { phoneId }, body });
  expect(refused).toMatchObject({ status: 409, body: { code: 'phone_not_connected' } });
});
