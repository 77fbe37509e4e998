import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Sending } from '#contracts/projects.ts';
import { problem } from '#web/testing/answer-requests.ts';
import { sampleMessage, sampleOfficialPhone, sampleProfile, sampleWhatsappTemplate } from '#web/testing/samples.ts';
import { composer, showInbox } from '../testing/inbox-scene.tsx';
import { windowLeft } from './window-left.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const shut: Sending = {
  can_send: false,
  connector: 'cloud',
  reason: 'window_closed',
  message: 'They have not written for 24 hours',
  until: null,
};

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs + 30_000).toISOString();

const template = sampleWhatsappTemplate();
const panel = page.getByRole('region', { name: 'Send a template' });
const sendTemplate = page.getByRole('button', { name: 'Send template' });

type Scene = Parameters<typeof showInbox>[0];

function show(scene: Scene = {}) {
  return showInbox({
    path: '/inbox?conversation=40',
    detail: { sending: shut, phone_id: 8, window_expires_at: inHours(-2) },
    ...scene,
    answers: {
      'GET /api/projects/3/phone-numbers': () => ({ body: { data: [sampleOfficialPhone()] } }),
      'GET /api/whatsapp-templates': () => ({ body: { data: [template], total: 1, page: 1, pageSize: 100 } }),
      'GET /api/profiles/5': () => ({
        body: sampleProfile({ id: 5, name: 'Ada Lindqvist', custom_fields: { Order: 4821 } }),
      }),
      ...scene.answers,
    },
  });
}

async function choose(name = 'order_ready'): Promise<void> {
  await panel.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: new RegExp(name) }).click();
}

test('a shut window is told within the width of a handset', async () => {
  await page.viewport(390, 844);
  show();
  await expect.element(page.getByText(/^Window shut/)).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

test('where the window is shut, a template begins with what the profile says, and is sent as it is seen', async () => {
  const { sent } = show({ reply: () => ({ status: 201, body: sampleMessage({ id: 900, type: 'template' }) }) });
  await expect.element(panel).toHaveTextContent('24 hours have passed since Ada Lindqvist last wrote.');
  await expect.element(page.getByText(/^Window shut since/)).toBeVisible();
  await expect.element(composer).not.toBeInTheDocument();
  await choose();
  await expect.element(panel.getByLabelText('first_name')).toHaveValue('Ada');
  await expect.element(panel).toHaveTextContent('Hi Ada, your order 4821 is ready.');
  await panel.getByLabelText('order').fill('4822');
  await expect.element(panel).toHaveTextContent('your order 4822 is ready');
  await sendTemplate.click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).toEqual({
    type: 'template',
    template: { name: 'order_ready', language: 'en_GB', variables: { first_name: 'Ada', order: '4822' } },
  });
  await expect.element(panel.getByLabelText('order')).not.toBeInTheDocument();
});

test('a value that is missing is asked for, and a refusal stands at its field; the same try has the same key', async () => {
  let count = 0;
  const { sent } = show({
    answers: { 'GET /api/profiles/5': () => ({ body: sampleProfile({ id: 5, name: null, custom_fields: {} }) }) },
    reply: () => {
      count += 1;
      if (count > 1) return problem(502, 'network_refused', 'Meta did not answer');
      const errors = [{ path: 'template.variables.order', message: 'Use no line breaks' }];
      return { status: 422, body: { code: 'invalid_input', message: 'Invalid', errors, request_id: 'x' } };
    },
  });
  await choose();
  await sendTemplate.click();
  await expect
    .element(panel.getByLabelText('first_name'))
    .toHaveAccessibleDescription('Enter a value for this variable');
  await panel.getByLabelText('first_name').fill('Ada');
  await panel.getByLabelText('order').fill('4821');
  await sendTemplate.click();
  await expect.element(panel.getByLabelText('order')).toHaveAccessibleDescription('Use no line breaks');
  await sendTemplate.click();
  await expect.element(panel.getByRole('alert')).toHaveTextContent('Meta did not answer');
  const keys = sent('POST', '/messages').map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toBe(keys[1]);
});

test('an open window says how long it stays so, a template is one click away, and no poll is offered', async () => {
  const can: Sending = { ...shut, can_send: true, reason: null, message: null };
  show({ detail: { sending: can, phone_id: 8, window_expires_at: inHours(5) } });
  await expect.element(page.getByText('5 h 0 min')).toBeVisible();
  await composer.fill('A text');
  await expect.element(page.getByRole('button', { name: 'Send a template' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send a poll' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Send a template' }).click();
  await expect.element(panel).toBeVisible();
  await page.getByRole('button', { name: 'Close templates' }).click();
  await expect.element(composer).toHaveValue('A text');
});

test('a window that ends while one looks takes the text box away and keeps the text', async () => {
  const can: Sending = { ...shut, can_send: true, reason: null, message: null };
  show({ detail: { sending: can, phone_id: 8, window_expires_at: new Date(Date.now() + 1500).toISOString() } });
  await composer.fill('Nearly');
  await expect.element(panel, { timeout: 30_000 }).toHaveTextContent('24 hours have passed');
  await expect.element(page.getByText('Your text is kept until you can write freely again.')).toBeVisible();
});

test('without an approved template it leads to their page', async () => {
  show({
    answers: { 'GET /api/whatsapp-templates': () => ({ body: { data: [], total: 0, page: 1, pageSize: 100 } }) },
  });
  await expect.element(panel).toHaveTextContent('No template is approved for this number yet.');
  await expect.element(panel.getByRole('link')).toHaveAttribute('href', '/whatsapp-templates');
});

test('a header with a picture wants one', async () => {
  const picture = sampleWhatsappTemplate({
    name: 'packed',
    header_media: 'image',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Look.' },
    ],
  });
  show({
    answers: {
      'GET /api/whatsapp-templates': () => ({ body: { data: [picture], total: 1, page: 1, pageSize: 100 } }),
    },
  });
  await choose('packed');
  await sendTemplate.click();
  await expect.element(panel.getByRole('alert')).toHaveTextContent('Add the picture of the header');
});

test.each([
  [24 * hourMs - 1, '23 h 59 min'],
  [hourMs, '1 h 0 min'],
  [12 * 60_000, '12 min'],
  [59_000, 'less than a minute'],
])('%i ms are %s', (left, words) => {
  expect(windowLeft(left)).toBe(words);
});
