import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { BoundTemplate } from '#contracts/bound-templates.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Review } from '#contracts/reviews.ts';
import { setUser } from '#web/shared/session.ts';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { chooseFile, samplePicture } from '#web/testing/files.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import {
  noSkips,
  sampleCampaign,
  sampleOfficialPhone,
  samplePhone,
  sampleProject,
  sampleSegment,
  sampleUpload,
  sampleUser,
  sampleWhatsappTemplate,
} from '#web/testing/samples.ts';
import { CampaignDialog } from './campaign-dialog.tsx';

const english = sampleWhatsappTemplate();
const portuguese = sampleWhatsappTemplate({ id: 13, language: 'pt_BR' });
const spanish = sampleWhatsappTemplate({ id: 14, language: 'es', status: 'pending' });

const bound: BoundTemplate = {
  name: 'order_ready',
  language: 'en_GB',
  business_account_id: '104',
  category: 'utility',
  languages: ['en_GB', 'pt_BR'],
  text: 'Hi {name}, your order {order} is ready.',
  variables: { first_name: { text: '{name}', default: 'you' }, order: { text: '{order}', default: null } },
  header_media: null,
  version: 'c0ffee0123456789',
};

const review: Review = {
  total: 40,
  will_receive: 38,
  is_estimate: false,
  skipped: { ...noSkips, variable_missing: 2 },
  warnings: [],
  duplicates: 0,
  capped_waiting: 0,
  placeholders: [],
  samples: [
    {
      profile_id: 5,
      name: 'Ana Souza',
      phone: '5511987654321',
      message: 'Oi Ana, seu pedido 4821 saiu.',
      template: {
        language: 'pt_BR',
        variables: { first_name: 'Ana', order: '4821' },
        header: null,
        footer: 'Larkspur Store',
        buttons: [],
      },
    },
  ],
  media: null,
  template: bound,
  languages: [
    { language: 'en_GB', status: 'approved', count: 30 },
    { language: 'pt_BR', status: 'paused', count: 8 },
  ],
  cost: { amounts: [{ currency: 'EUR', amount: '1.50' }], unpriced: 8, lines: [] },
  forecast: null,
};

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

function open(campaign?: Campaign, answers: Answers = {}): Request[] {
  const requests = answerRequests({
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [sampleOfficialPhone()] } }),
    'GET /api/segments': () => ({ body: { data: [sampleSegment()] } }),
    'GET /api/profile-fields': () => ({
      body: { data: [{ path: 'custom_fields.order', types: ['string'], sample: '4821', profiles: 4 }] },
    }),
    'GET /api/whatsapp-templates': (request) => {
      const isNamed = new URL(request.url).searchParams.has('name');
      const data = isNamed ? [english, portuguese, spanish] : [english, portuguese];
      return { body: { data, total: data.length, page: 1, pageSize: 100 } };
    },
    'POST /api/campaigns/preview': () => ({ body: review }),
    'POST /api/campaigns': () => ({ status: 201, body: sampleCampaign() }),
    'PUT /api/campaigns/4': () => ({ body: sampleCampaign() }),
    ...answers,
  });
  setUser(sampleUser());
  render(inRouter(<Example campaign={campaign} />).page);
  return requests;
}

function Example({ campaign }: { campaign: Campaign | undefined }) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <CampaignDialog {...(campaign && { campaign })} onClose={() => setOpen(false)} />;
}

const nameField = page.getByRole('textbox', { name: 'Name', exact: true });
const template = page.getByRole('combobox', { name: 'Template', exact: true });
const create = page.getByRole('button', { name: 'Create Campaign' });
const variable = (name: string) => page.getByRole('textbox', { name, exact: true });
const bubble = page.getByRole('region', { name: 'Message Preview, scrolling' });

const bodyOf = (requests: readonly Request[], method: string, path: string): Promise<unknown> | undefined =>
  requests
    .findLast((request) => request.method === method && new URL(request.url).pathname === path)
    ?.clone()
    .json();

async function chooseTemplate(): Promise<void> {
  await page.getByText('WhatsApp template', { exact: true }).click();
  await template.click();
  await page.getByRole('option', { name: /order_ready.*English/ }).click();
}

async function fillTarget(): Promise<void> {
  await nameField.fill('Spring');
  await page.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await page.getByRole('option', { name: 'Installed users' }).click();
}

beforeEach(() => page.viewport(1600, 1200));

test('binds each variable to a text with a default, is reviewed, and goes with the version that was seen', async () => {
  const requests = open();
  await fillTarget();
  await chooseTemplate();
  await expect.element(variable('first_name')).toHaveValue('{name}');
  await expect
    .element(page.getByText('each person in their own language, all others in English (United Kingdom)'))
    .toHaveTextContent('Spanish is left out: in review.');
  await create.click();
  await expect.element(variable('order')).toHaveAccessibleDescription('Enter a text for this variable');
  await variable('order').click();
  await page.getByRole('button', { name: 'Insert {order}' }).click();
  await expect.element(variable('order')).toHaveValue('{order}');
  await page.getByRole('textbox', { name: 'first_name, if empty' }).fill('you');
  await expect.element(bubble).toHaveTextContent('Oi Ana, seu pedido 4821 saiu.');
  await create.click();
  const dialog = page.getByRole('dialog', { name: /Review/ });
  await expect.element(dialog).toHaveTextContent('Portuguese (Brazil): 8 (paused: they wait)');
  await expect.element(dialog).toHaveTextContent('About EUR 1.50');
  await expect.element(dialog).toHaveTextContent('8 of 38 messages have no known price');
  await expect.element(dialog).toHaveTextContent('2 without a value for a variable of the template');
  await expect.element(dialog).toHaveTextContent('Version c0ffee01');
  await expect.element(dialog).toHaveTextContent('Larkspur Store');
  await dialog.getByRole('button', { name: 'Send to 38' }).click();
  await expect
    .poll(() => bodyOf(requests, 'POST', '/api/campaigns'))
    .toMatchObject({
      message: '',
      template: {
        name: 'order_ready',
        language: 'en_GB',
        variables: { first_name: { text: '{name}', default: 'you' }, order: { text: '{order}', default: null } },
        version: 'c0ffee0123456789',
      },
    });
});

test('says whom a text and a template reach, by the numbers of the project', async () => {
  open(undefined, {
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [sampleOfficialPhone(), samplePhone({ id: 9 })] } }),
  });
  const content = page.getByRole('group', { name: 'Content' });
  await expect.element(content.getByRole('radio', { name: /^Text/ })).toBeChecked();
  await expect
    .element(content)
    .toHaveTextContent(
      'Reaches everybody by the linked numbers; by the official ones whoever wrote in the last 24 hours',
    );
  await expect.element(content).toHaveTextContent('Reaches everybody, by the official numbers alone');
});

test('a project without an official number is not asked about templates', async () => {
  open(undefined, { 'GET /api/projects/3/phone-numbers': () => ({ body: { data: [samplePhone()] } }) });
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await expect.element(page.getByRole('group', { name: 'Content' })).not.toBeInTheDocument();
});

test('the file of a header is asked for, uploaded and sent', async () => {
  const picture = await samplePicture();
  const withPicture = sampleWhatsappTemplate({
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'All bulbs.' },
    ],
    header_media: 'image',
  });
  const requests = open(undefined, {
    'GET /api/whatsapp-templates': () => ({ body: { data: [withPicture], total: 1, page: 1, pageSize: 100 } }),
    'POST /api/campaigns/preview': () => ({ body: { ...review, will_receive: 3, template: null } }),
    'POST /api/media': () => ({ status: 201, body: sampleUpload() }),
    'GET /api/media/media_1': () => ({ body: picture }),
    'GET /api/media/media_1/thumbnail': () => ({ body: picture }),
  });
  await fillTarget();
  await chooseTemplate();
  await create.click();
  const header = page.getByRole('group', { name: 'File of the header' });
  await expect.element(header).toHaveTextContent('Add the picture of the header');
  await chooseFile(picture, header.getByRole('button', { name: 'Add the picture' }));
  await expect.element(header.getByRole('button', { name: /^Remove/ })).toBeVisible();
  await create.click();
  await expect
    .poll(() => bodyOf(requests, 'POST', '/api/campaigns'))
    .toMatchObject({ template: { variables: {}, header_media: { id: 'media_1' } } });
});

test('a stored campaign is edited again; a fault of the review stands at its variable', async () => {
  const campaign = sampleCampaign({
    status: 'scheduled',
    sent_count: 0,
    failed_count: 0,
    message: '',
    template: { ...bound, languages: ['en_GB'] },
  });
  const requests = open(campaign, {
    'POST /api/campaigns/preview': () => ({
      status: 422,
      body: {
        code: 'invalid_input',
        message: 'Enter a text for this variable',
        request_id: 'test',
        errors: [{ path: 'template.variables.order', message: 'Enter a text for this variable' }],
      },
    }),
  });
  await expect.element(template).toHaveTextContent('order_ready');
  await expect.element(variable('order')).toHaveValue('{order}');
  await variable('order').fill('{number}');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(variable('order')).toHaveAccessibleDescription('Enter a text for this variable');
  expect(bodyOf(requests, 'PUT', '/api/campaigns/4')).toBeUndefined();
});

test('a template that has other variables by now is shown with these', async () => {
  const changed = sampleWhatsappTemplate({ components: [{ type: 'BODY', text: 'Hi {{first_name}}, see {{place}}.' }] });
  open(sampleCampaign({ status: 'scheduled', message: '', template: bound }), {
    'GET /api/whatsapp-templates': () => ({ body: { data: [changed], total: 1, page: 1, pageSize: 100 } }),
  });
  await expect.element(variable('place')).toHaveValue('');
  await expect.element(variable('first_name')).toHaveValue('{name}');
  await expect.element(variable('order')).not.toBeInTheDocument();
});
