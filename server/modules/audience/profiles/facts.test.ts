import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProfile, getProfile, listProfiles, updateProfile, upsertProfile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const facts = { language: 'pt-BR', timezone: 'Europe/Lisbon', external_id: 'crm-7' };

test('language, time zone and external id are given, read, changed and taken away', async () => {
  const { api } = await signUpSubscriber(app.url);
  const { body: made } = await api.call(createProfile, {
    body: { phone: '+14155550100', name: 'Ada', ...facts, language: 'pt_br' },
  });
  expect(made).toMatchObject(facts);
  const params = { profileId: made.id };
  expect((await api.call(getProfile, { params })).body).toEqual(made);
  expect((await api.call(listProfiles, { query: {} })).body.data).toEqual([made]);

  const { body: changed } = await api.call(updateProfile, { params, body: { language: 'de', timezone: null } });
  expect(changed).toMatchObject({ language: 'de', timezone: null, external_id: 'crm-7', name: 'Ada' });
  expect(changed.updated_at > made.updated_at).toBe(true);
  const again = await api.call(upsertProfile, { body: { phone: '+14155550100', external_id: '' } });
  expect([again.status, again.body.external_id, again.body.language]).toEqual([200, null, 'de']);
  expect((await api.call(updateProfile, { params, body: { language: 'de' } })).body).toEqual(again.body);
  const other = await api.call(createProfile, { body: { phone: '+14155550101' } });
  expect(other.body).toMatchObject({ language: null, timezone: null, external_id: null });
});

test('an external id belongs to one profile', async () => {
  const { api } = await signUpSubscriber(app.url);
  const { body: first } = await api.call(createProfile, { body: { phone: '+14155550100', external_id: 'a' } });
  const taken = await api.refuse(createProfile, { body: { phone: '+14155550101', external_id: 'a' } });
  expect([taken.status, taken.body.code]).toEqual([409, 'profile_exists']);
  expect((await api.call(listProfiles, { query: {} })).body.data.map(({ id }) => id)).toEqual([first.id]);
});

test.each([
  ['language', 'a language'],
  ['timezone', 'Mars/Base'],
  ['external_id', 'x'.repeat(201)],
])('a %s that is none is a 422 that names it', async (field, value) => {
  const { api } = await signUpSubscriber(app.url);
  const refused = await api.refuse(createProfile, { body: { phone: '+14155550100', [field]: value } });
  expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([422, [field]]);
});
