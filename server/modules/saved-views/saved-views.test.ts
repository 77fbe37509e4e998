import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from '#contracts/saved-views.ts';
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

test('a view is saved, renamed, listed by name for its list, and forgotten', async () => {
  const { api } = await signUpSubscriber(app.url);
  const save = async (name: string, list: 'profiles' | 'flows' = 'profiles') =>
    (await api.call(createSavedView, { body: { list, name, search: 'tags=vip' } })).body;
  const view = await save('VIP');
  await save('Berlin');
  await save('Elsewhere', 'flows');
  const params = { viewId: view.id };
  await api.call(updateSavedView, { params, body: { name: 'A', search: 'tags=vip&sort=name' } });
  const views = async () => (await api.call(listSavedViews, { query: { list: 'profiles' } })).body.data;
  expect((await views()).map(({ name, search }) => [name, search])).toEqual([
    ['A', 'tags=vip&sort=name'],
    ['Berlin', 'tags=vip'],
  ]);
  await api.call(deleteSavedView, { params });
  expect(await views()).toHaveLength(1);
  expect((await api.refuse(deleteSavedView, { params })).status).toBe(404);
});

test("a list has fifty at the most, and nobody sees another account's", async () => {
  const { api } = await signUpSubscriber(app.url);
  const body = { list: 'segments', name: 'Mine', search: '' } as const;
  for (let saved = 0; saved < 50; saved += 1) await api.call(createSavedView, { body });
  expect((await api.refuse(createSavedView, { body })).body.errors?.[0]?.path).toBe('list');
  const other = await signUpSubscriber(app.url);
  expect((await other.api.call(listSavedViews, { query: { list: 'segments' } })).body.data).toEqual([]);
});
