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
  const body = (name: string) => ({ list: 'segments', name, search: '' }) as const;
  // The last place is taken by one of those that ask for it at once.
  for (let saved = 0; saved < 49; saved += 1) await api.call(createSavedView, { body: body(`View ${saved}`) });
  const last = await Promise.allSettled(
    ['Berlin', 'Rome', 'Lima'].map((name) => api.call(createSavedView, { body: body(name) })),
  );
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await api.refuse(createSavedView, { body: body('Cairo') })).body.errors?.[0]?.path).toBe('list');
  const other = await signUpSubscriber(app.url);
  expect((await other.api.call(listSavedViews, { query: { list: 'segments' } })).body.data).toEqual([]);
});

test('a name is taken once in a list, whatever its case, by a new view and by a renamed one', async () => {
  const { api } = await signUpSubscriber(app.url);
  const body = (name: string) => ({ list: 'campaigns', name, search: 'status=failed' }) as const;
  const { body: view } = await api.call(createSavedView, { body: body('Failed') });
  const { body: other } = await api.call(createSavedView, { body: body('Others') });
  const refusals = [
    await api.refuse(createSavedView, { body: body('failed ') }),
    await api.refuse(updateSavedView, { params: { viewId: other.id }, body: { name: 'FAILED' } }),
  ];
  expect(refusals.map(({ status, body: { errors } }) => [status, errors?.[0]?.path])).toEqual([
    [422, 'name'],
    [422, 'name'],
  ]);
  const renamed = await api.call(updateSavedView, { params: { viewId: view.id }, body: { name: 'failed' } });
  expect(renamed.body.name).toBe('failed');
  await api.call(createSavedView, { body: { ...body('Failed'), list: 'flows' } });
});
