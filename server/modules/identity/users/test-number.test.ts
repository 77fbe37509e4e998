import { afterAll, beforeAll, expect, test } from 'vitest';
import { getTestNumber, setTestNumber } from '#contracts/accounts.ts';
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

test('a person’s number for tests is kept, replaced and forgotten, and is nobody else’s', async () => {
  const { api } = await signUpSubscriber(app.url);
  const other = await signUpSubscriber(app.url);
  expect((await api.call(getTestNumber)).body).toEqual({ phone: null });
  await api.call(setTestNumber, { body: { phone: '+1 415 555 0132' } });
  await api.call(setTestNumber, { body: { phone: ' +1 415 555 0133 ' } });
  expect((await api.call(getTestNumber)).body).toEqual({ phone: '+1 415 555 0133' });
  expect((await other.api.call(getTestNumber)).body).toEqual({ phone: null });
  await api.call(setTestNumber, { body: { phone: null } });
  expect((await api.call(getTestNumber)).body).toEqual({ phone: null });
  expect((await api.refuse(setTestNumber, { body: { phone: '1'.repeat(41) } })).status).toBe(422);
});
