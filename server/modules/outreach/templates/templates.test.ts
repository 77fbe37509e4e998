import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EndpointCall } from '#contracts/endpoint.ts';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '#contracts/saved-templates.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;
let owner: Customer;

beforeAll(async () => {
  app = await startTestApplication();
  owner = await signUpSubscriber(app.url);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const create = (name: string, message = 'Hi {name|there}') =>
  owner.api.call(createTemplate, { body: { name, message } }).then(({ body }) => body);
const names = async (query: EndpointCall<typeof listTemplates>['query'] = {}) =>
  (await owner.api.call(listTemplates, { query })).body.data.map(({ name }) => name);

test('a template is kept under a name, found by it and by its text, renamed and deleted', async () => {
  const welcome = await create('welcome');
  await create('Autumn 100%', 'All of autumn for {name}');
  expect(await names()).toEqual(['Autumn 100%', 'welcome']);
  expect(await names({ search: 'WELC' })).toEqual(['welcome']);
  expect(await names({ search: 'all of' })).toEqual(['Autumn 100%']);
  expect(await names({ search: '100% autu' })).toEqual(['Autumn 100%']);
  expect(await names({ search: '0%' })).toEqual([]);
  expect(await names({ search: '%%' })).toEqual([]);
  expect(await names({ sort: 'name', order: 'desc' })).toEqual(['welcome', 'Autumn 100%']);
  expect(await names({ sort: 'updated' })).toEqual(['Autumn 100%', 'welcome']);
  expect((await owner.api.call(listTemplates, { query: { page: 3, pageSize: 1 } })).body).toMatchObject({
    data: [],
    total: 2,
  });
  const params = { templateId: welcome.id };
  const renamed = await owner.api.call(updateTemplate, { params, body: { name: 'Welcome' } });
  expect(renamed.body).toMatchObject({ id: welcome.id, name: 'Welcome', message: 'Hi {name|there}' });
  await owner.api.call(deleteTemplate, { params });
  expect((await owner.api.refuse(getTemplate, { params })).status).toBe(404);
  expect((await owner.api.refuse(deleteTemplate, { params })).status).toBe(404);
});

test('a name is taken once, whatever its capitals', async () => {
  const first = await create('Order ready');
  const second = await create('Other');
  const taken = await owner.api.refuse(createTemplate, { body: { name: 'ORDER READY', message: 'Hi' } });
  expect([taken.status, taken.body.code]).toEqual([409, 'template_exists']);
  const renaming = { params: { templateId: second.id }, body: { name: 'order ready' } };
  expect((await owner.api.refuse(updateTemplate, renaming)).body.code).toBe('template_exists');
  const own = { params: { templateId: first.id }, body: { name: 'order READY', message: 'Come by' } };
  expect((await owner.api.call(updateTemplate, own)).body).toMatchObject({ name: 'order READY', message: 'Come by' });
});

test('another account sees and changes none of them', async () => {
  const { id: templateId } = await create('Mine');
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.call(listTemplates, { query: {} })).body.total).toBe(0);
  expect((await stranger.api.refuse(getTemplate, { params: { templateId } })).status).toBe(404);
  expect((await stranger.api.refuse(updateTemplate, { params: { templateId }, body: { name: 'x' } })).status).toBe(404);
  expect((await stranger.api.refuse(deleteTemplate, { params: { templateId } })).status).toBe(404);
  expect(await names({ search: 'mine' })).toEqual(['Mine']);
});
