import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { setUser } from '#web/shared/session.ts';
import { sampleOfficialPhone, sampleUser, sampleWhatsappTemplate } from '#web/testing/samples.ts';
import { EditTemplate } from './edit-template.tsx';
import { NewTemplatePage } from './new-template-page.tsx';

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

function answer(answers: Answers = {}) {
  return answerRequests({
    'GET /api/phone-numbers': () => ({ body: { data: [sampleOfficialPhone()] } }),
    'GET /api/whatsapp-templates': () => ({
      body: { data: [sampleWhatsappTemplate()], total: 1, page: 1, pageSize: 100 },
    }),
    'GET /api/message-prices': () => ({ body: { data: [], total: 0, page: 1, pageSize: 100 } }),
    ...answers,
  });
}

async function showNew({ path = '/whatsapp-templates/new', answers }: { path?: string; answers?: Answers } = {}) {
  await page.viewport(1440, 900);
  const requests = answer(answers);
  const { page: element, address } = inRouter(<NewTemplatePage />, path);
  render(element);
  const sent = (method: string) => requests.find((request) => request.method === method)?.json();
  return { address, sent };
}

const field = (name: string) => page.getByLabelText(name, { exact: true });
const submit = page.getByRole('button', { name: 'Submit for review' });
const preview = page.getByRole('complementary', { name: 'Preview' });

async function writeOne(): Promise<void> {
  await field('Name').fill('Order ready');
  await field('Language').selectOptions('pt_PT');
  await field('Body').fill('Olá {{first_name}}, está pronto.');
  await field('{{first_name}}').fill('Ana');
}

test('each category says its price in the own country, and a country without one has the price of all others', async () => {
  setUser(sampleUser({ default_country: 'PT' }));
  const price = { currency: 'EUR', valid_from: '2026-01-01', valid_until: null };
  const later = { ...price, valid_from: '2199-01-01', price: '9.99' };
  const prices = (request: Request) =>
    new URL(request.url).searchParams.get('country') === 'PT'
      ? [
          { ...later, country: 'PT', category: 'marketing' },
          { ...price, country: 'PT', category: 'marketing', price: '0.052' },
        ]
      : [{ ...price, country: '*', category: 'utility', price: '0.02' }];
  await showNew({
    answers: {
      'GET /api/message-prices': (request) => ({ body: { data: prices(request), total: 2, page: 1, pageSize: 100 } }),
    },
  });
  await expect.element(page.getByRole('radio', { name: /Marketing EUR 0.052/ })).toBeVisible();
  await expect.element(page.getByRole('radio', { name: /Utility EUR 0.02/ })).toBeVisible();
  await expect.element(page.getByText(/one delivered message to Portugal/)).toBeVisible();
});

test('a template is written, seen as it arrives, and handed in with its examples', async () => {
  const made = sampleWhatsappTemplate({ id: 20, status: 'pending' });
  const { address, sent } = await showNew({
    answers: { 'POST /api/whatsapp-templates': () => ({ status: 201, body: made }) },
  });
  await writeOne();
  await expect.element(preview).toHaveTextContent('Olá Ana, está pronto.');
  await preview.getByRole('button', { name: 'Variables' }).click();
  await expect.element(preview).toHaveTextContent('Olá {{first_name}}, está pronto.');
  await field('Footer').fill('Larkspur');
  await page.getByRole('button', { name: 'Add a button' }).click();
  await field('Kind').selectOptions('URL');
  await field('Words').fill('See it');
  await field('Address').fill('https://shop.example/o/{{1}}');
  await submit.click();
  await expect.element(page.getByText('Enter an example of the whole address')).toBeVisible();
  await field('Example of the whole address').fill('https://shop.example/o/1');
  await submit.click();
  await expect.poll(address).toBe('/whatsapp-templates/20');
  expect(await sent('POST')).toEqual({
    business_account_id: '104',
    name: 'order_ready',
    language: 'pt_PT',
    category: 'utility',
    parameter_format: 'named',
    components: [
      {
        type: 'BODY',
        text: 'Olá {{first_name}}, está pronto.',
        example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
      },
      { type: 'FOOTER', text: 'Larkspur' },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'See it',
            url: 'https://shop.example/o/{{1}}',
            example: ['https://shop.example/o/1'],
          },
        ],
      },
    ],
  });
});

test('a draft is kept by the server, taken up again where it was left, and given up with the submit', async () => {
  const kept: { content?: Record<string, unknown>; removed: string[] } = { removed: [] };
  const draft = (content: object) => ({
    kind: 'whatsapp_template',
    key: 'new',
    content,
    revision: 3,
    updated_at: '2026-10-14T09:12:00.000Z',
  });
  const { address } = await showNew({
    answers: {
      'GET /api/drafts': () => ({ body: { data: [{ ...draft({}), name: 'order_ready' }] } }),
      'GET /api/drafts/whatsapp_template/new': () => ({
        body: draft({ name: 'order_ready', language: 'pt_PT', body: 'Olá, está pronto.' }),
      }),
      'PUT /api/drafts/whatsapp_template/new': async (request) => {
        ({ content: kept.content } = (await request.json()) as { content: Record<string, unknown> });
        return { body: draft(kept.content ?? {}) };
      },
      'DELETE /api/drafts/whatsapp_template/new': ({ url }) => {
        kept.removed.push(new URL(url).search);
        return { status: 204 };
      },
      'POST /api/whatsapp-templates': () => ({ status: 201, body: sampleWhatsappTemplate({ id: 22 }) }),
    },
  });
  await expect.element(field('Body')).toHaveValue('Olá, está pronto.');
  await expect.element(page.getByText(/^This is your draft from/)).toBeVisible();
  await field('Footer').fill('Larkspur');
  await expect.poll(() => kept.content).toMatchObject({ name: 'order_ready', footer: 'Larkspur' });
  await submit.click();
  await expect.poll(address).toBe('/whatsapp-templates/22');
  await expect.poll(() => kept.removed).toEqual(['?revision=3']);
});

test('limits are said as one types, what is missing once it is submitted, the first such field focused', async () => {
  await showNew();
  await field('Footer').fill('x'.repeat(61));
  await expect.element(page.getByText('Use at most 60 characters')).toBeVisible();
  await field('Body').fill('{{first_name}} is first');
  await expect.element(page.getByText('Begin and end with words, not with a variable')).toBeVisible();
  await expect.element(preview).toHaveTextContent('Begins or ends with a variable');
  await expect.element(page.getByText('Enter a name')).not.toBeInTheDocument();
  await submit.click();
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Name')).toHaveAccessibleDescription(/Enter a name/);
  await expect.element(field('{{first_name}}')).toHaveAccessibleDescription('Enter an example');
});

test("a refusal of the server stands at its field, and Meta's own words above the form", async () => {
  let count = 0;
  await showNew({
    answers: {
      'POST /api/whatsapp-templates': () => {
        count += 1;
        const [code, message, path] =
          count === 1
            ? ['invalid_input', 'The template cannot be taken', 'components.0.text']
            : ['template_refused', 'There is already content in this language'];
        const errors = path === undefined ? [] : [{ path, message: 'Use other words' }];
        return { status: 422, body: { code, message, errors, request_id: 'x' } };
      },
    },
  });
  await writeOne();
  await submit.click();
  await expect.element(field('Body')).toHaveAccessibleDescription(/Use other words/);
  await expect.element(field('Body')).toHaveFocus();
  await submit.click();
  await expect.element(page.getByText('There is already content in this language')).toBeVisible();
});

test('Discard asks first, and leaves the form as it began', async () => {
  await showNew();
  await writeOne();
  await expect.element(page.getByText('Draft saved')).toBeVisible();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect.element(field('Body')).toHaveValue('');
  await expect.element(page.getByRole('button', { name: 'Discard draft' })).not.toBeInTheDocument();
});

test('a duplicate keeps all but its language, of which those that exist cannot be chosen', async () => {
  await showNew({
    path: '/whatsapp-templates/new?from=12',
    answers: { 'GET /api/whatsapp-templates/12': () => ({ body: sampleWhatsappTemplate() }) },
  });
  await expect.element(page.getByRole('heading', { name: 'order_ready in another language' })).toBeVisible();
  await expect.element(field('Body')).toHaveValue('Hi {{first_name}}, your order {{order}} is ready.');
  await expect.element(field('{{order}}')).toHaveValue('4821');
  await expect.element(field('Language')).toHaveValue('');
  await expect.element(page.getByRole('option', { name: 'English (United Kingdom)' })).toBeDisabled();
});

test('a rejected template says why and what to do, and is changed and submitted again', async () => {
  await page.viewport(1440, 900);
  const rejected = sampleWhatsappTemplate({ status: 'rejected', reason: 'invalid format' });
  const requests = answer({ 'PATCH /api/whatsapp-templates/12': () => ({ body: { ...rejected, status: 'pending' } }) });
  render(inRouter(<EditTemplate template={rejected} />).page);
  await expect.element(page.getByText('WhatsApp rejected this: invalid format')).toBeVisible();
  await expect.element(page.getByText(/Variables stand side by side/)).toBeVisible();
  await expect.element(field('Name')).toBeDisabled();
  await page.getByRole('radio', { name: /Marketing/ }).click();
  await field('Body').fill('Order {{order}} is ready.');
  await page.getByRole('button', { name: 'Submit again' }).click();
  await expect.element(page.getByText('Submitted for review').first()).toBeVisible();
  expect(await requests.find(({ method }) => method === 'PATCH')?.json()).toEqual({
    category: 'marketing',
    components: [
      {
        type: 'BODY',
        text: 'Order {{order}} is ready.',
        example: { body_text_named_params: [{ param_name: 'order', example: '4821' }] },
      },
      { type: 'FOOTER', text: 'Larkspur Store' },
    ],
  });
});

test('a template in review cannot be changed, and says so', async () => {
  answer();
  render(inRouter(<EditTemplate template={sampleWhatsappTemplate({ status: 'pending' })} />).page);
  await expect.element(page.getByText('WhatsApp is reviewing this')).toBeVisible();
  await expect.element(field('Body')).toBeDisabled();
  await expect.element(page.getByRole('button', { name: /Submit/ })).not.toBeInTheDocument();
});

test('a variable goes where the caret is, by a name that Meta takes', async () => {
  await showNew();
  await field('Body').fill('Hi , welcome');
  (field('Body').element() as HTMLTextAreaElement).setSelectionRange(3, 3);
  await field('Name of the variable').fill('First name');
  await page.getByRole('button', { name: 'Add variable' }).click();
  await expect.element(field('Body')).toHaveValue('Hi {{first_name}}, welcome');
});

test('the text of a code is WhatsApp’s own', async () => {
  const made = sampleWhatsappTemplate({ id: 21, status: 'pending' });
  const { sent, address } = await showNew({
    answers: { 'POST /api/whatsapp-templates': () => ({ status: 201, body: made }) },
  });
  await field('Name').fill('login_code');
  await field('Language').selectOptions('en');
  await page.getByRole('radio', { name: /Authentication/ }).click();
  await field('The code holds for, minutes').fill('95');
  await expect.element(page.getByText('Use 1 to 90 minutes')).toBeVisible();
  await field('The code holds for, minutes').fill('10');
  await submit.click();
  await expect.poll(address).toBe('/whatsapp-templates/21');
  expect(await sent('POST')).toMatchObject({
    category: 'authentication',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ],
  });
});

test('a text that is written after a look at the codes has named variables again', async () => {
  await showNew();
  await page.getByRole('radio', { name: /Authentication/ }).click();
  await page.getByRole('radio', { name: /Utility/ }).click();
  await field('Body').fill('Hi , welcome');
  (field('Body').element() as HTMLTextAreaElement).setSelectionRange(3, 3);
  await field('Name of the variable').fill('First name');
  await page.getByRole('button', { name: 'Add variable' }).click();
  await expect.element(field('Body')).toHaveValue('Hi {{first_name}}, welcome');
});

test('a button that is moved keeps the focus, and is moved further by the same key', async () => {
  await showNew();
  for (const number of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Add a button' }).click();
    await page
      .getByRole('group', { name: `Button ${number}` })
      .getByLabelText('Words')
      .fill(`Words ${number}`);
  }
  (page.getByRole('button', { name: 'Move button 3 up' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Move button 2 up' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Move button 1 down' })).toHaveFocus();
  await expect.element(page.getByRole('group', { name: 'Button 1' }).getByLabelText('Words')).toHaveValue('Words 3');
});

test('numbers that could not be loaded are told, and the editor comes when they are asked for again', async () => {
  let isDown = true;
  await showNew({
    answers: {
      'GET /api/phone-numbers': () =>
        isDown ? problem(500, 'internal', 'The server failed') : { body: { data: [sampleOfficialPhone()] } },
    },
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server failed');
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(submit).toBeVisible();
});
