import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { identifyProfile } from '#contracts/identify.ts';
import { createProfile, getProfile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;
let owner: Customer;
let count = 0;

beforeAll(async () => {
  app = await startTestApplication();
  owner = await signUpSubscriber(app.url);
});
afterAll(() => app[Symbol.asyncDispose]());

const newPhone = () => `141555501${String((count += 1)).padStart(2, '0')}`;
type Person = z.input<typeof identifyProfile.body>;
const identify = async (body: Person) => (await owner.api.call(identifyProfile, { body })).body;
const refused = async (body: Person) => {
  const { status, body: problem } = await owner.api.refuse(identifyProfile, { body });
  return { status, code: problem.code, profile_id: problem.profile_id, errors: problem.errors };
};

test('a phone makes a profile, and the same call changes nothing', async () => {
  const phone = newPhone();
  const person = { phone, external_id: 'crm-1', traits: { name: ' Ada ', email: 'ada@example.com', plan: 'pro' } };
  const made = await identify(person);
  expect(made).toMatchObject({
    phone,
    external_id: 'crm-1',
    name: 'Ada',
    email: 'ada@example.com',
    custom_fields: { plan: 'pro' },
  });
  expect(await identify(person)).toEqual(made);
  expect(await identify({ phone: `+${phone}` })).toEqual(made);
});

test('traits are merged one level deep, and null removes one', async () => {
  const phone = newPhone();
  const { id } = await identify({
    phone,
    traits: { name: 'Ada', plan: 'pro', address: { city: 'Lisbon' }, visits: 3 },
  });
  const traits = { name: null, plan: null, address: { street: 'Rua A' } };
  expect(await identify({ profile_id: id, traits })).toMatchObject({
    name: null,
    custom_fields: { address: { street: 'Rua A' }, visits: 3 },
  });
});

test('ids that come together belong to one profile from then on', async () => {
  const [phone, next] = [newPhone(), newPhone()];
  const { id } = await identify({ phone });
  expect(await identify({ phone, external_id: 'crm-2' })).toMatchObject({ id, external_id: 'crm-2' });
  expect(await identify({ external_id: 'crm-2', traits: { plan: 'pro' } })).toMatchObject({ id });
  expect(await identify({ external_id: 'crm-2', phone: next })).toMatchObject({ id, phone: next });
  expect((await owner.api.call(getProfile, { params: { profileId: id } })).body.phone).toBe(next);
});

test('ids of two people are a conflict that names the other, and change neither', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  const first = await identify({ phone, external_id: 'crm-3' });
  const second = await identify({ phone: other, external_id: 'crm-4' });
  const conflict = (profileId: number) => ({ status: 409, code: 'profile_exists', profile_id: profileId });
  expect(await refused({ phone, external_id: 'crm-4', traits: { plan: 'x' } })).toMatchObject(conflict(second.id));
  expect(await refused({ profile_id: first.id, phone: other })).toMatchObject(conflict(second.id));
  expect(await refused({ phone, external_id: 'crm-5' })).toMatchObject(conflict(first.id));
  expect(await identify({ phone })).toEqual(first);
  expect(await identify({ phone: other })).toEqual(second);
});

test('nobody is found by an unknown id, and another account’s profile is none', async () => {
  const stranger = await signUpSubscriber(app.url);
  const { body: theirs } = await stranger.api.call(createProfile, { body: { phone: newPhone() } });
  expect(await refused({ external_id: 'unknown' })).toMatchObject({ status: 404 });
  expect(await refused({ profile_id: theirs.id })).toMatchObject({ status: 404 });
});

test.each<[Person, string]>([
  [{ traits: { name: 'Ada' } }, 'phone'],
  [{ phone: '14155550190', traits: { email: 'ada' } }, 'traits.email'],
  [{ phone: '14155550190', traits: { name: 7 } }, 'traits.name'],
  [{ phone: 'x' }, 'phone'],
])('%j is refused at %s', async (person, path) => {
  expect(await refused(person)).toMatchObject({ status: 422, errors: [{ path }] });
});

test('calls at once make one profile, and lose no trait', async () => {
  const phone = newPhone();
  const names = Array.from({ length: 8 }, (_, index) => `trait_${index}`);
  await Promise.all(names.map((name) => identify({ phone, external_id: 'crm-6', traits: { [name]: true } })));
  const { custom_fields: fields } = await identify({ phone });
  expect(fields).toEqual(Object.fromEntries(names.map((name) => [name, true])));
});

test('words that opt out do so here, too', async () => {
  const phone = newPhone();
  expect((await identify({ phone })).opted_out).toBe(false);
  expect((await identify({ phone, traits: { opted_out: true } })).opted_out).toBe(true);
});
