import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMessage, sampleProject } from '#web/testing/samples.ts';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { TemplatesPage } from './templates-page.tsx';

const template: SavedTemplate = {
  id: 4,
  name: 'Order ready',
  message: 'Hi {name|there}',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
};
const fields = () => ({ body: { data: [{ path: 'name', types: ['string'], sample: 'Ada', profiles: 4 }] } });
const nameField = page.getByRole('textbox', { name: 'Name' });
const message = page.getByRole('textbox', { name: 'Message' });

test('a template is made under a name that is free', async () => {
  let isTaken = true;
  const requests = answerRequests({
    'GET /api/profile-fields': fields,
    'POST /api/templates': () =>
      isTaken
        ? problem(409, 'template_exists', 'There is a template with this name already')
        : { status: 201, body: template },
  });
  render(inRouter(<TemplateDialog onClose={() => document.body.append('closed')} />).page);
  await nameField.fill('Order ready');
  await message.fill('Hi {name|there}');
  await page.getByRole('button', { name: 'Create Template' }).click();
  await expect.element(page.getByText('There is a template with this name already')).toBeVisible();
  isTaken = false;
  await page.getByRole('button', { name: 'Create Template' }).click();
  await expect.element(page.getByText('Template created')).toBeVisible();
  const sent = requests.findLast(({ method }) => method === 'POST');
  expect(await sent?.json()).toEqual({ name: 'Order ready', message: 'Hi {name|there}' });
});

test('a template is renamed', async () => {
  const requests = answerRequests({
    'GET /api/profile-fields': fields,
    'PUT /api/templates/4': () => ({ body: template }),
  });
  render(inRouter(<TemplateDialog template={template} onClose={() => undefined} />).page);
  await expect.element(message).toHaveValue('Hi {name|there}');
  await nameField.fill('Order is ready');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByText('Template updated')).toBeVisible();
  const sent = requests.findLast(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({ name: 'Order is ready' });
});

test('a test of a template leads where its links do', async () => {
  const requests = answerRequests({
    'GET /api/profile-fields': fields,
    'GET /api/projects': () => ({ body: { data: [sampleProject({ is_connected: true })] } }),
    'GET /api/user/test-number': () => ({ body: { phone: '14155550132' } }),
    'POST /api/send-message': () => ({ body: sampleMessage() }),
  });
  const linked = { ...template, message: 'Hi {name}, see {link:https://shop.example.com/a}' };
  render(inRouter(<TemplateDialog template={linked} onClose={() => undefined} />).page);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.element(page.getByText('Test message sent successfully')).toBeVisible();
  const sent = requests.findLast(({ method }) => method === 'POST');
  expect(await sent?.json()).toMatchObject({ message: 'Hi John, see https://shop.example.com/a' });
});

test('a template is deleted after a question', async () => {
  const requests = answerRequests({ 'DELETE /api/templates/4': () => ({ body: {} }) });
  render(<DeleteTemplateDialog template={template} onClose={() => undefined} />);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('Template deleted')).toBeVisible();
  expect(requests.map(({ method }) => method)).toEqual(['DELETE']);
});

test('templates are sorted and searched by the server, and those that a search finds are deleted together', async () => {
  await page.viewport(1280, 800);
  const asked: string[] = [];
  const requests = answerRequests({
    'GET /api/templates': ({ url }) => {
      asked.push(new URL(url).search);
      return { body: { data: [template], total: 120, page: 1, pageSize: 50 } };
    },
    'GET /api/bulk-actions': () => ({ body: { data: [] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'POST /api/bulk-actions': () => problem(409, 'too_many_bulk_actions', 'Wait until one has ended'),
  });
  render(inRouter(<TemplatesPage />, '/templates').page);
  await expect.element(page.getByRole('heading', { name: '120 templates' })).toBeVisible();
  await page.getByRole('button', { name: 'Changed' }).click();
  await expect.poll(() => asked.at(-1)).toMatch(/sort=updated/);
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('order');
  await expect.poll(() => asked.at(-1)).toMatch(/search=order/);
  await page.getByRole('checkbox', { name: 'Select Order ready' }).click();
  await page.getByRole('button', { name: 'Select all 120' }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 120 templates' }).click();
  await expect.poll(() => requests.some(({ method }) => method === 'POST')).toBe(true);
  const sent = await requests.find(({ method }) => method === 'POST')?.json();
  expect(sent).toEqual({ resource: 'templates', action: 'delete', filter: { search: 'order' } });
});
