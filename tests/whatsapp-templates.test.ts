import { expect, test, vi } from 'vitest';
import { openConversation, replyToConversation } from '#contracts/conversations.ts';
import { getMessage } from '#contracts/messages.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import {
  createWhatsappTemplate,
  deleteWhatsappTemplate,
  getWhatsappTemplate,
  listWhatsappTemplates,
  syncWhatsappTemplates,
  updateWhatsappTemplate,
} from '#contracts/whatsapp-templates.ts';
import type { StandInTemplate } from './cloud-api/account.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { addTemplate as addApproved } from './support/connect-official.ts';
import { setUpOfficial } from './support/official-application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

const to = '4915110000001';

async function templateScene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const params = { projectId: project.id };
  const { body: phone } = await api.call(addPhoneNumber, {
    params,
    body: { phone_number: meta.number.display, connector: 'cloud', cloud: meta.credentials },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  const callback = new URL(new URL(phone.cloud?.callback_url ?? '').pathname, app.url).href;
  await meta.webhooks.configure(callback, phone.cloud?.verify_token ?? '');
  const list = async (query: { search?: string; status?: 'rejected' } = {}) =>
    (await api.call(listWhatsappTemplates, { query })).body.data;
  return {
    api,
    customer,
    project,
    phone,
    list,
    sync: async () => (await api.call(syncWhatsappTemplates, { body: {} })).body,
    async send(body: object) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to, type: 'template', ...body }),
      });
      type Answer = { id: number; code?: string; message: string; errors?: { path: string; message: string }[] };
      return { status: response.status, body: (await response.json()) as Answer };
    },
  };
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function uploadPicture(headers: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'a.png');
  const uploaded = await fetch(`${app.url}/api/media`, { method: 'POST', headers, body: form });
  return ((await uploaded.json()) as { id: string }).id;
}

let count = 0;
const addTemplate = (parts: Partial<StandInTemplate> = {}): StandInTemplate =>
  addApproved(meta, {
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hi {{first_name}}' },
      { type: 'BODY', text: 'Order {{order}} is ready, {{first_name}}.' },
      { type: 'FOOTER', text: 'Larkspur Store' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'See it', url: 'https://shop.example/{{1}}' },
        ],
      },
    ],
    ...parts,
  });

const values = { first_name: 'Ana', order: 'S-1', button_2: 'orders/S-1' };
const asked = ({ name, language }: StandInTemplate, variables: object = values) => ({
  template: { name, language, variables },
});

test('a sync lists every template with its variables, and says what became of those of before', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  const gone = addTemplate();
  const first = await scene.sync();
  expect(first).toMatchObject({ templates: meta.account.templates.size, removed: 0 });
  expect(await scene.list({ search: template.name })).toMatchObject([
    {
      business_account_id: meta.account.id,
      language: 'en_US',
      category: 'utility',
      status: 'approved',
      reason: null,
      quality: 'high',
      parameter_format: 'named',
      variables: [
        { name: 'first_name', part: 'header' },
        { name: 'order', part: 'body' },
        { name: 'button_2', part: 'button' },
      ],
      header_media: null,
      used_by: [],
      delivered_30d: 0,
      read_30d: 0,
    },
  ]);
  meta.account.templates.delete(gone.id);
  template.category = 'MARKETING';
  addTemplate({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
  expect(await scene.sync()).toMatchObject({ added: 1, changed: 1, removed: 1 });
  expect(await scene.list({ status: 'rejected' })).toMatchObject([{ reason: 'invalid format' }]);
  expect(await scene.list({ search: gone.name })).toEqual([]);
});

test('a new business account is read by itself, and every page of its list', async () => {
  for (let each = 0; each < 220; each += 1) addTemplate();
  const { api } = await templateScene();
  await expect
    .poll(async () => (await api.call(listWhatsappTemplates, { query: {} })).body.total)
    .toBe(meta.account.templates.size);
});

test('only a number of the official API can be read for templates, and another account sees none', async () => {
  const { api, customer, project, phone } = await templateScene();
  const sandbox = await connectSandboxPhone(customer, project.id);
  const refused = await api.refuse(syncWhatsappTemplates, { body: { phone_id: sandbox.id } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_an_official_number' } });
  expect((await api.call(syncWhatsappTemplates, { body: { phone_id: phone.id } })).status).toBe(200);
  const [first] = (await api.call(listWhatsappTemplates, { query: {} })).body.data;
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.call(listWhatsappTemplates, { query: {} })).body.data).toEqual([]);
  const other = await stranger.api.refuse(getWhatsappTemplate, { params: { whatsappTemplateId: first?.id ?? 0 } });
  expect(other.status).toBe(404);
});

test('a template begins a conversation: outside of the window it is what reaches the contact', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  await scene.sync();
  expect(await scene.send({ type: 'text', message: 'Hello' })).toMatchObject({
    status: 409,
    body: { code: 'window_closed' },
  });
  const { status, body } = await scene.send(asked(template));
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    type: 'template',
    message: 'Order S-1 is ready, Ana.',
    template: {
      name: template.name,
      language: 'en_US',
      category: 'utility',
      header: 'Hi Ana',
      footer: 'Larkspur Store',
      buttons: ['Thanks', 'See it'],
    },
  });
  expect(meta.sent.at(-1)?.body).toMatchObject({ to: `+${to}`, type: 'template' });
  const read = async () => (await scene.api.call(getMessage, { params: { messageId: body.id } })).body.status;
  await expect.poll(read).toBe('read');
});

test('a positional template, its header with a file, and a code are filled as the network wants them', async () => {
  const scene = await templateScene();
  const positional = addTemplate({
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
      { type: 'BODY', text: '{{2}} waits, {{1}}.' },
    ],
  });
  const code = addTemplate({
    category: 'AUTHENTICATION',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'BODY', text: '*{{1}}* is your code.' },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Copy', url: 'https://www.whatsapp.com/otp/code/?code=otp{{1}}' }],
      },
    ],
  });
  const picture = addTemplate({
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Look.' },
    ],
  });
  await scene.sync();
  const first = await scene.send(asked(positional, { header_1: 'Ana', 1: 'Ana', 2: 'S-1' }));
  expect(first.body, JSON.stringify(first.body)).toMatchObject({ message: 'S-1 waits, Ana.' });
  expect((await scene.send(asked(code, { 1: '123456' }))).status).toBe(200);
  const missing = await scene.send(asked(picture, {}));
  expect(missing).toMatchObject({ status: 422, body: { errors: [{ path: 'template.header_media' }] } });
  const id = await uploadPicture({ 'x-auth-key': scene.project.auth_key });
  const { name, language } = picture;
  const sent = await scene.send({ template: { name, language, header_media: { id } } });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  expect(sent.body).toMatchObject({ media: { id, mime_type: 'image/png' } });
});

test('a missing or needless variable, an unknown template and an unknown language are named in a 422', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  await scene.sync();
  const sent = meta.sent.length;
  const faultsOf = async (body: object) => {
    const { status, body: problem } = await scene.send(body);
    return [status, problem.errors];
  };
  expect(await faultsOf(asked(template, { first_name: 'Ana', colour: 'red', button_2: 'a' }))).toMatchObject([
    422,
    [{ path: 'template.variables.order' }, { path: 'template.variables.colour' }],
  ]);
  expect(await faultsOf(asked(template, { ...values, order: 'two\nlines' }))).toMatchObject([
    422,
    [{ path: 'template.variables.order', message: expect.stringContaining('no line breaks') as string }],
  ]);
  expect(await faultsOf({ template: { name: 'order_redy', language: 'en' } })).toMatchObject([
    422,
    [{ path: 'template.name' }],
  ]);
  expect(await faultsOf({ template: { name: template.name, language: 'fr' } })).toMatchObject([
    422,
    [{ path: 'template.language', message: `The template ${template.name} exists in en_US` }],
  ]);
  expect(await faultsOf({})).toMatchObject([422, [{ path: 'template' }]]);
  expect(meta.sent.length).toBe(sent);
});

test('a webhook pauses a template, and reinstates it; a paused one is refused with its reason', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  await scene.sync();
  const news = { message_template_id: Number(template.id), message_template_name: template.name };
  const about = { ...news, message_template_language: 'en-US' };
  const state = async () => (await scene.list({ search: template.name }))[0];
  meta.tell('message_template_status_update', {
    ...about,
    event: 'PAUSED',
    reason: 'NONE',
    other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours' },
  });
  await vi.waitFor(async () => expect(await state()).toMatchObject({ status: 'paused' }), patience);
  expect(await state()).toMatchObject({ reason: 'paused for 3 hours' });
  const refused = await scene.send(asked(template));
  expect(refused).toMatchObject({ status: 422, body: { code: 'template_refused' } });
  expect(refused.body.message).toContain('is paused: paused for 3 hours');
  meta.tell('message_template_quality_update', { ...about, new_quality_score: 'RED', previous_quality_score: 'GREEN' });
  meta.tell('template_category_update', { ...about, previous_category: 'UTILITY', new_category: 'MARKETING' });
  const resumed = { event: 'APPROVED', reason: 'NONE', other_info: { title: 'UNPAUSE', description: 'Resumed' } };
  meta.tell('message_template_status_update', { ...about, ...resumed });
  const mended = { status: 'approved', reason: null, quality: 'low', category: 'marketing' };
  await vi.waitFor(async () => expect(await state()).toMatchObject(mended), patience);
  expect((await scene.send(asked(template))).status).toBe(200);
});

test('open pages are told when a template is read, handed in, decided on or deleted', async () => {
  const { api, customer } = await templateScene();
  const leaving = new AbortController();
  const stream = await fetch(`${app.url}/api/events`, {
    headers: { authorization: customer.token },
    signal: leaving.signal,
  });
  let heard = '';
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  const timesTold = () => heard.split('whatsapp_templates.changed').length - 1;
  const isTold = async (after: number) => vi.waitFor(() => expect(timesTold()).toBeGreaterThan(after), patience);
  await api.call(syncWhatsappTemplates, { body: {} });
  await isTold(0);
  const steps = [
    () => api.call(createWhatsappTemplate, { body: draft() }),
    async () => {
      const [made] = [...meta.account.templates.values()].slice(-1);
      if (made) made.status = 'APPROVED';
      meta.tell('message_template_status_update', { message_template_id: Number(made?.id), event: 'APPROVED' });
    },
    async () => {
      const { body } = await api.call(listWhatsappTemplates, { query: { search: `delivery_${count}` } });
      await api.call(deleteWhatsappTemplate, { params: { whatsappTemplateId: body.data[0]?.id ?? 0 } });
    },
  ];
  for (const step of steps) {
    const before = timesTold();
    await step();
    await isTold(before);
  }
  leaving.abort();
  await reading;
});

test('a template that a webhook names first is read by itself', async () => {
  const scene = await templateScene();
  await scene.sync();
  const template = addTemplate();
  meta.tell('message_template_status_update', {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: 'en_US',
    event: 'APPROVED',
  });
  await vi.waitFor(async () => expect(await scene.list({ search: template.name })).toHaveLength(1), patience);
});

test('a contact who stopped marketing gets no marketing template, and still the others', async () => {
  const scene = await templateScene();
  const utility = addTemplate();
  const marketing = addTemplate({ category: 'MARKETING' });
  await scene.sync();
  const preference = {
    wa_id: to,
    category: 'marketing_messages',
    value: 'stop',
    timestamp: Math.floor(Date.now() / 1000),
  };
  meta.tell('user_preferences', { user_preferences: [preference] });
  await vi.waitFor(
    async () => expect(await scene.send(asked(marketing))).toMatchObject({ status: 409, body: { code: 'opted_out' } }),
    patience,
  );
  expect((await scene.send(asked(utility))).status).toBe(200);
});

test('a scheduled template goes when its time has come; a project without official numbers has none', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  await scene.sync();
  const sendAt = new Date(Date.now() + 2_000).toISOString();
  const { status, body } = await scene.send({ ...asked(template), send_at: sendAt });
  expect(status).toBe(202);
  const state = async () => (await scene.api.call(getMessage, { params: { messageId: body.id } })).body;
  await vi.waitFor(async () => expect(await state()).toMatchObject({ status: 'read', type: 'template' }), patience);
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const response = await fetch(`${app.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to, type: 'template', ...asked(template) }),
  });
  expect(response.status).toBe(422);
});

test('an answer in the inbox is a template where the window is shut', async () => {
  const scene = await templateScene();
  const template = addTemplate();
  await scene.sync();
  const { body: conversation } = await scene.api.call(openConversation, {
    body: { project_id: scene.project.id, phone: `+${to}` },
  });
  expect(conversation.sending).toMatchObject({ can_send: false, reason: 'window_closed' });
  const { name, language } = template;
  const { body: message } = await scene.api.call(replyToConversation, {
    params: { conversationId: conversation.id },
    body: { type: 'template', template: { name, language, variables: values } },
  });
  expect(message).toMatchObject({ type: 'template', message: 'Order S-1 is ready, Ana.' });
});

const draft = () => {
  count += 1;
  return {
    name: `delivery_${count}`,
    language: 'pt_BR',
    category: 'utility' as const,
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Olá {{first_name}}' },
      { type: 'BODY', text: 'O pedido {{order}} chegou.' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Obrigado' }] },
    ],
    examples: { first_name: 'Ana', order: 'S-1' },
  };
};

test('a template is handed in, approved, changed and deleted, here and at Meta', async () => {
  const { api, send, list } = await templateScene();
  const body = draft();
  const { body: made } = await api.call(createWhatsappTemplate, { body });
  expect(made).toMatchObject({ name: body.name, status: 'pending', category: 'utility', parameter_format: 'named' });
  const params = { whatsappTemplateId: made.id };
  const own = [...meta.account.templates.values()].find(({ name }) => name === body.name);
  expect(own?.components[1]?.example).toEqual({ body_text_named_params: [{ param_name: 'order', example: 'S-1' }] });
  const wait = await api.refuse(updateWhatsappTemplate, { params, body: { components: body.components } });
  expect(wait).toMatchObject({ status: 422, body: { code: 'template_refused' } });
  if (own) own.status = 'APPROVED';
  meta.tell('message_template_status_update', { message_template_id: Number(own?.id), event: 'APPROVED' });
  await vi.waitFor(
    async () => expect(await list({ search: body.name })).toMatchObject([{ status: 'approved' }]),
    patience,
  );
  const template = { name: body.name, language: 'pt-BR', variables: { first_name: 'Ana', order: 'S-1' } };
  expect((await send({ template })).status).toBe(200);
  const components = [{ type: 'BODY', text: 'O pedido {{order}} vem hoje.' }];
  const { body: changed } = await api.call(updateWhatsappTemplate, {
    params,
    body: { components, examples: { order: 'S-2' } },
  });
  expect(changed).toMatchObject({ status: 'pending', variables: [{ name: 'order', part: 'body' }] });
  expect(await send({ template })).toMatchObject({ status: 422 });
  await api.call(deleteWhatsappTemplate, { params });
  expect(meta.account.templates.has(own?.id ?? '')).toBe(false);
  expect(await api.refuse(getWhatsappTemplate, { params })).toMatchObject({ status: 404 });
});

const order = 'O pedido {{order}} chegou.';
test.for<[string, object, string]>([
  ['a name with capitals', { name: 'Delivery' }, 'name'],
  ['a language that is none', { language: 'português' }, 'language'],
  ['no body', { components: [{ type: 'FOOTER', text: 'Larkspur' }] }, 'components'],
  ['an end without words', { components: [{ type: 'BODY', text: 'O pedido {{order}}' }] }, 'components.0.text'],
  ['neighbours', { components: [{ type: 'BODY', text: 'O {{first_name}}{{order}} x' }] }, 'components.0.text'],
  ['a variable without an example', { components: [{ type: 'BODY', text: order }], examples: {} }, 'examples.order'],
  [
    'a long footer',
    {
      components: [
        { type: 'BODY', text: 'A' },
        { type: 'FOOTER', text: 'a'.repeat(61) },
      ],
    },
    'components.1.text',
  ],
  [
    'a part twice',
    {
      components: [
        { type: 'BODY', text: 'A' },
        { type: 'BODY', text: 'B' },
      ],
    },
    'components.1.type',
  ],
])('a new template with %s is refused with its path, before Meta is asked', async ([, change, path]) => {
  const scene = await templateScene();
  const before = meta.requests.length;
  const { status, body } = await scene.api.refuse(createWhatsappTemplate, { body: { ...draft(), ...change } });
  expect([status, body.errors?.map((fault) => fault.path)]).toEqual([422, [path]]);
  expect(meta.requests.slice(before).filter((each) => each.startsWith('POST') && each.includes('templates'))).toEqual(
    [],
  );
});

test("a refusal of Meta is answered in Meta's words; without an answer nothing is kept", async () => {
  const { api, list } = await templateScene();
  const body = draft();
  await api.call(createWhatsappTemplate, { body });
  const twice = await api.refuse(createWhatsappTemplate, { body });
  expect(twice).toMatchObject({ status: 422, body: { code: 'template_refused' } });
  expect(twice.body.message).toContain('already content in this language');
  meta.faults.outage = 503;
  const other = draft();
  const away = await api.refuse(createWhatsappTemplate, { body: other });
  meta.faults.outage = undefined;
  expect(away).toMatchObject({ status: 502, body: { code: 'network_refused' } });
  expect(await list({ search: other.name })).toEqual([]);
});

test('the file of a header goes to the reviewers as an upload of its own, in a new template and in a change', async () => {
  const { api, customer, list } = await templateScene();
  const id = await uploadPicture({ authorization: customer.token });
  const components = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Look.' },
  ];
  const body = { ...draft(), components, header_media: { id } };
  const { body: made } = await api.call(createWhatsappTemplate, { body });
  expect(made).toMatchObject({ status: 'pending', header_media: 'image' });
  const own = [...meta.account.templates.values()].find(({ name }) => name === body.name);
  const handles = () => [...meta.exampleUploads.values()].map(({ handle }) => handle);
  expect(own?.components[0]?.example).toEqual({ header_handle: [handles().at(-1)] });
  if (own) own.status = 'APPROVED';
  meta.tell('message_template_status_update', { message_template_id: Number(own?.id), event: 'APPROVED' });
  await vi.waitFor(
    async () => expect(await list({ search: body.name })).toMatchObject([{ status: 'approved' }]),
    patience,
  );
  const params = { whatsappTemplateId: made.id };
  await api.call(updateWhatsappTemplate, { params, body: { components, header_media: { id } } });
  expect(handles()).toHaveLength(2);
});

test('a file for a header that takes none, that is not there, or is none, is refused at its place', async () => {
  const { api, customer } = await templateScene();
  const id = await uploadPicture({ authorization: customer.token });
  const headed = (format: string) => [
    { type: 'HEADER', format, text: 'Look' },
    { type: 'BODY', text: 'Look.' },
  ];
  const uploads = meta.exampleUploads.size;
  for (const [format, file, path] of [
    ['TEXT', { id }, 'header_media.id'],
    ['IMAGE', { id: 'nothing' }, 'header_media.id'],
    ['VIDEO', { id }, 'header_media.id'],
    ['IMAGE', undefined, 'components.0.example'],
  ] as const) {
    const body = { ...draft(), components: headed(format), ...(file && { header_media: file }) };
    const { status, body: problem } = await api.refuse(createWhatsappTemplate, { body });
    expect([status, problem.errors?.map((fault) => fault.path)]).toEqual([422, [path]]);
  }
  expect(meta.exampleUploads.size).toBe(uploads);
});
