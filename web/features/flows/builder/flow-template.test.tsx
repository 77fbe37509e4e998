import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { BoundTemplate } from '#contracts/bound-templates.ts';
import type { Flow } from '#contracts/flows.ts';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleFlow, sampleOfficialPhone, sampleProject, sampleWhatsappTemplate } from '#web/testing/samples.ts';
import { FlowDialog } from './flow-dialog.tsx';

const bound: BoundTemplate = {
  name: 'order_ready',
  language: 'en_GB',
  business_account_id: '104',
  category: 'utility',
  languages: ['en_GB'],
  text: 'Hi {name}, your order {custom_fields.order} is ready.',
  variables: { first_name: { text: '{name}', default: null }, order: { text: '{custom_fields.order}', default: null } },
  header_media: null,
  version: 'v1',
};

type Answers = Record<string, () => Answer>;

function open(flow?: Flow, answers: Answers = {}): Request[] {
  const requests = answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
    'GET /api/profile-fields/values': () => ({ body: { data: [], is_complete: true } }),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [sampleOfficialPhone()] } }),
    'GET /api/whatsapp-templates': () => ({
      body: { data: [sampleWhatsappTemplate()], total: 1, page: 1, pageSize: 100 },
    }),
    'POST /api/flows/preview-count': () => ({ body: { count: 8, skipped: 0, warning: null } }),
    'POST /api/flows': () => ({ status: 201, body: sampleFlow() }),
    'PUT /api/flows/5': () => ({ body: sampleFlow() }),
    ...answers,
  });
  render(inRouter(<Example flow={flow} />).page);
  return requests;
}

function Example({ flow }: { flow: Flow | undefined }) {
  const [isOpen, setOpen] = useState(true);
  const projects = [sampleProject()];
  return isOpen && <FlowDialog {...(flow && { flow })} projects={projects} onClose={() => setOpen(false)} />;
}

const variable = (name: string) => page.getByRole('textbox', { name, exact: true });
const bodyOf = (requests: readonly Request[], method: string, path: string): Promise<unknown> | undefined =>
  requests
    .findLast((request) => request.method === method && new URL(request.url).pathname === path)
    ?.clone()
    .json();

beforeEach(() => page.viewport(1920, 1200));

test('a new flow is made of a template; a fault that the review finds stands at its variable', async () => {
  const fault = { path: 'template.variables.order', message: 'Enter a text for this variable' };
  const requests = open(undefined, {
    'POST /api/flows/preview': () => ({
      status: 422,
      body: { code: 'invalid_input', message: fault.message, request_id: 'test', errors: [fault] },
    }),
  });
  await variable('Name').fill('Ready');
  await page.getByText('WhatsApp template', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Template', exact: true }).click();
  await page.getByRole('option', { name: /order_ready/ }).click();
  await variable('order').fill('{custom_fields.order}');
  await expect
    .element(page.getByRole('region', { name: 'Message Preview, scrolling' }))
    .toHaveTextContent('Hi John, your order [custom_fields.order] is ready.');
  await page.getByRole('button', { name: 'Create Flow' }).click();
  await expect.element(variable('order')).toHaveAccessibleDescription('Enter a text for this variable');
  await page.getByRole('switch', { name: 'Active' }).click();
  await page.getByRole('button', { name: 'Create Flow' }).click();
  await expect
    .poll(() => bodyOf(requests, 'POST', '/api/flows'))
    .toMatchObject({ active: false, action: { projectId: 3, template: { name: 'order_ready', language: 'en_GB' } } });
});

test('a stored flow keeps its template where only its name changes, and gives it up for a text', async () => {
  const { action, ...flow } = sampleFlow({ active: true });
  const requests = open({ ...flow, action: { ...action, message: '', template: bound } });
  await expect.element(variable('order')).toHaveValue('{custom_fields.order}');
  await page.getByText('Text', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Message Template' }).fill('Hi {name}');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect
    .poll(async () => ((await bodyOf(requests, 'PUT', '/api/flows/5')) as { action?: object } | undefined)?.action)
    .toEqual({ projectId: action.projectId, message: 'Hi {name}', template: null });
});
