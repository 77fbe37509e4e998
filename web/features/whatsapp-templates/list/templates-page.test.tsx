import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { permissionsOf } from '#contracts/roles.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import {
  sampleMembership,
  sampleOfficialPhone,
  sampleSubscription,
  sampleUser,
  sampleWhatsappTemplate,
} from '#web/testing/samples.ts';
import { WhatsappTemplatesPage } from './templates-page.tsx';

type Scene = {
  path?: string;
  templates?: readonly WhatsappTemplate[];
  phones?: readonly object[];
  answers?: Record<string, (request: Request) => Answer>;
};

async function show({ path = '/whatsapp-templates', templates = [], phones, answers = {} }: Scene) {
  await page.viewport(1440, 900);
  const requests = answerRequests({
    'GET /api/phone-numbers': () => ({ body: { data: phones ?? [sampleOfficialPhone()] } }),
    'GET /api/whatsapp-templates': () => ({
      body: { data: templates, total: templates.length, page: 1, pageSize: 50 },
    }),
    ...answers,
  });
  const { page: element, address } = inRouter(<WhatsappTemplatesPage />, path);
  render(element);
  const queries = () =>
    requests.flatMap(({ url }) => {
      const { pathname, search } = new URL(url);
      return pathname === '/api/whatsapp-templates' ? [search] : [];
    });
  return { address, queries, requests };
}

const rejected = sampleWhatsappTemplate({
  id: 13,
  name: 'back_in_stock',
  status: 'rejected',
  reason: 'invalid format',
});
const portuguese = sampleWhatsappTemplate({ id: 14, language: 'pt_PT', status: 'paused', quality: 'low' });

test('shows each template with its state and reason, and says what became of a paused one', async () => {
  await show({
    templates: [
      rejected,
      sampleWhatsappTemplate({
        used_by: [{ type: 'campaign', id: 3, name: 'Spring sale' }],
        delivered_30d: 4218,
        read_30d: 3838,
      }),
      portuguese,
    ],
  });
  const row = page.getByRole('row', { name: /back_in_stock/ });
  await expect.element(row).toHaveTextContent('Rejected');
  await expect.element(page.getByRole('row', { name: /4,218\s*91%/ })).toBeVisible();
  await expect.element(row).toHaveTextContent('invalid format');
  await expect.element(page.getByRole('row', { name: /Portuguese \(Portugal\)/ })).toHaveTextContent('Low');
  await expect.element(page.getByRole('link', { name: 'Spring sale' })).toHaveAttribute('href', '/campaigns/3');
  await expect.element(page.getByText('“order_ready” in Portuguese (Portugal) is paused')).toBeVisible();
});

test('filters are in the address, and go to the server', async () => {
  const { address, queries } = await show({ templates: [rejected], path: '/whatsapp-templates?status=rejected' });
  await expect.poll(() => queries().at(-1)).toMatch(/status=rejected/);
  await page.getByRole('button', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Marketing' }).click();
  await expect.poll(address).toMatch(/category=marketing/);
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('option', { name: /Portuguese \(Brazil\)/ }).click();
  await expect.poll(() => queries().at(-1)).toMatch(/status=rejected&category=marketing&language=pt_BR/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => queries().at(-1)).not.toMatch(/status|category|language/);
});

test('a sync says what is new, and why it failed', async () => {
  let isAway = true;
  const { requests } = await show({
    templates: [rejected],
    answers: {
      'POST /api/whatsapp-templates/sync': () =>
        isAway
          ? problem(502, 'network_refused', 'Meta could not be reached')
          : { body: { templates: 4, added: 2, changed: 0, removed: 1 } },
    },
  });
  const sync = page.getByRole('button', { name: 'Sync now' });
  await sync.click();
  await expect.element(page.getByText('Meta could not be reached')).toBeVisible();
  isAway = false;
  await sync.click();
  await expect.element(page.getByText('Synced: 2 new, 1 gone')).toBeVisible();
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('without a number of the official API it leads to one, with a number to the first template', async () => {
  await show({ phones: [] });
  await expect.element(page.getByText('No number of the official API yet')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'New template' })).not.toBeInTheDocument();
  await show({});
  await expect.element(page.getByText('No WhatsApp templates yet')).toBeVisible();
});

test('a failure says so, and is tried again', async () => {
  let isAway = true;
  await show({
    answers: {
      'GET /api/whatsapp-templates': () =>
        isAway
          ? problem(503, 'unavailable', 'The database is away')
          : { body: { data: [rejected], total: 1, page: 1, pageSize: 50 } },
    },
  });
  await expect.element(page.getByText('Failed to load WhatsApp templates')).toBeVisible();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('row', { name: /back_in_stock/ })).toBeVisible();
});

test('a role that only reads is offered nothing that writes', async () => {
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role: 'viewer',
    permissions: permissionsOf({ role: 'viewer', projectIds: null }),
  });
  onTestFinished(clearSession);
  await show({ templates: [rejected] });
  await page.getByRole('button', { name: /More actions for back_in_stock/ }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Open' })).toBeVisible();
  expect(page.getByRole('menuitem').elements()).toHaveLength(1);
  await expect.element(page.getByRole('button', { name: 'Sync now' })).not.toBeInTheDocument();
});

test('a template is deleted after its consequence was named', async () => {
  const used = sampleWhatsappTemplate({ used_by: [{ type: 'flow', id: 3, name: 'Reminder' }] });
  const { requests } = await show({
    templates: [used],
    answers: { 'DELETE /api/whatsapp-templates/12': () => ({ status: 204 }) },
  });
  await page.getByRole('button', { name: /More actions for order_ready/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog).toHaveTextContent('It is used by 1 flow, which can then no longer send it.');
  await expect.element(dialog).toHaveTextContent('blocked in this language for 30 days');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('Template deleted')).toBeVisible();
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
