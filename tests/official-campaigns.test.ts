import { expect, onTestFinished, test, vi } from 'vitest';
import { createBulkRun, getBulkRun, listBulkRows, previewBulkRun, startBulkRun } from '#contracts/bulk-runs.ts';
import {
  createCampaign,
  getCampaign,
  listRecipients,
  previewCampaign,
  resumeCampaign,
  updateCampaign,
} from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import { createFlow, getFlow, updateFlow } from '#contracts/flows.ts';
import { getWhatsappTemplate, listWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import type { StandInTemplate } from './cloud-api/account.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { addTemplate } from './support/connect-official.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

/** The same template in Portuguese. */
const inPortuguese = (template: StandInTemplate, parts: Partial<StandInTemplate> = {}) =>
  addTemplate(meta, {
    ...template,
    id: `${template.id}1`,
    language: 'pt_BR',
    components: [{ type: 'BODY', text: 'Olá {{first_name}}, o pedido {{order}} chegou.' }],
    ...parts,
  });

const bound = ({ name, language }: StandInTemplate) => ({
  name,
  language,
  variables: { first_name: { text: '{name}', default: 'there' }, order: '{custom_fields.order}' },
});

/** The texts of the body parameters that were sent with this template, by recipient and language. */
const sentOf = (name: string) =>
  Object.fromEntries(
    meta.sent.flatMap(({ to, body }) => {
      const { template } = body as { template?: { name: string; language: { code: string }; components: Component[] } };
      if (template?.name !== name) return [];
      const texts = template.components.flatMap(({ parameters }) => parameters.map((parameter) => parameter.text));
      return [[to, [template.language.code, ...texts]]];
    }),
  );
type Component = { parameters: { text?: string }[] };

const people = [
  { name: 'Ana', language: 'pt-PT', custom_fields: { order: 'S-1' } },
  { custom_fields: { order: 'S-2' } },
  { name: 'Ben', language: 'en-GB', custom_fields: { order: 'S\n3' } },
  { name: 'Cem' },
];

const campaignOf = async ({ api }: OfficialScene, id: number) =>
  (await api.call(getCampaign, { params: { campaignId: id } })).body;

async function launch(scene: OfficialScene, template: object, segmentId: number, more: object = {}): Promise<Campaign> {
  const body = { name: 'Spring sale', project_id: scene.project.id, segment_id: segmentId, template, ...more } as never;
  return (await scene.api.call(createCampaign, { body })).body;
}

test('a campaign sends a template in the language of each person, with its bound texts and defaults', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  inPortuguese(template);
  await scene.sync();
  const segmentId = await scene.segment(people);
  const body = { segment_id: segmentId, project_id: scene.project.id, template: bound(template) };
  const { body: review } = await scene.api.call(previewCampaign, { body });
  expect(review).toMatchObject({
    total: 4,
    will_receive: 3,
    skipped: { variable_missing: 1, window_closed: 0 },
    languages: [
      { language: 'en_US', status: 'approved', count: 2 },
      { language: 'pt_BR', status: 'approved', count: 1 },
    ],
    template: { name: template.name, languages: ['en_US', 'pt_BR'] },
    forecast: { count: 3, phones: 1, waiting_for: null },
  });
  expect(review.placeholders).toMatchObject([
    { placeholder: '{name|there}', empty: 1 },
    { placeholder: '{custom_fields.order}', empty: 0 },
  ]);
  expect(review.samples.map(({ message }) => message).toSorted()).toEqual([
    'Hi Ben, order S 3 is ready.',
    'Hi there, order S-2 is ready.',
    'Olá Ana, o pedido S-1 chegou.',
  ]);
  expect(review.samples.find(({ message }) => message.startsWith('Olá'))?.template).toMatchObject({
    language: 'pt_BR',
    variables: { first_name: 'Ana', order: 'S-1' },
    buttons: [],
  });
  const named = await scene.api.call(listWhatsappTemplates, { query: { name: template.name } });
  expect(named.body.data.map(({ language }) => language)).toEqual(['en_US', 'pt_BR']);
  const { id } = await launch(scene, { ...bound(template), version: review.template?.version }, segmentId);
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, id)).toMatchObject({ status: 'completed', sent_count: 3, skipped_count: 1 }),
    patience,
  );
  expect(sentOf(template.name)).toEqual({
    '4915110002000': ['pt_BR', 'Ana', 'S-1'],
    '4915110002001': ['en_US', 'there', 'S-2'],
    '4915110002002': ['en_US', 'Ben', 'S 3'],
  });
  const { body: entries } = await scene.api.call(listRecipients, { params: { campaignId: id }, query: {} });
  expect(entries.data.map((entry) => entry.error_code)).toEqual([null, null, null, 'variable_missing']);
  expect(await campaignOf(scene, id)).toMatchObject({
    message: '',
    template: { text: 'Hi {name|there}, order {custom_fields.order} is ready.', header_media: null },
  });
});

test('a template tells how many of its messages were delivered and read, each language by itself and each message once', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  inPortuguese(template);
  await scene.sync();
  const segmentId = await scene.segment(people, 4915110007000);
  meta.webhooks.faults.isDoubled = true;
  onTestFinished(() => void (meta.webhooks.faults.isDoubled = false));
  meta.fates.set('4915110007002', 131026);
  await launch(scene, bound(template), segmentId);
  const countsOf = async () => {
    const { body } = await scene.api.call(listWhatsappTemplates, { query: { name: template.name } });
    return body.data.map(({ language, delivered_30d, read_30d }) => [language, delivered_30d, read_30d]);
  };
  await vi.waitFor(
    async () =>
      expect(await countsOf()).toEqual([
        ['en_US', 1, 1],
        ['pt_BR', 1, 1],
      ]),
    patience,
  );
  await meta.webhooks.settled();
  const [english] = (await scene.api.call(listWhatsappTemplates, { query: { name: template.name } })).body.data;
  const { body: one } = await scene.api.call(getWhatsappTemplate, { params: { whatsappTemplateId: english!.id } });
  expect(one).toMatchObject({ delivered_30d: 1, read_30d: 1 });
});

test('a flow and a bulk run send templates, too; the columns of a run fill them, and what may send one is listed', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  inPortuguese(template);
  await scene.sync();
  await scene.segment(people.slice(0, 2), 4915110003000);
  const conditions = [{ fieldPath: 'custom_fields.group', operator: 'exists' as const, value: '' }];
  const { body: flow } = await scene.api.call(createFlow, {
    body: { name: 'Ready', conditions, action: { projectId: scene.project.id, template: bound(template) } },
  });
  await vi.waitFor(() => expect(Object.keys(sentOf(template.name))).toHaveLength(2), patience);
  const { body: run } = await scene.api.call(createBulkRun, {
    body: {
      name: 'Rows',
      project_id: scene.project.id,
      delay_ms: 0,
      template: { ...bound(template), variables: { first_name: '{Name}', order: '{order}' } },
      rows: [
        { to: '+4915110003100', fields: { Name: 'Dora', order: '7' } },
        { to: '+4915110003101', fields: { Name: 'Eva', order: '8', language: 'pt' } },
        { to: '+4915110003102', fields: { Name: 'Fritz' } },
      ],
    },
  });
  const params = { runId: run.id };
  const { body: review } = await scene.api.call(previewBulkRun, { params, body: {} });
  expect(review).toMatchObject({ will_receive: 2, skipped: { variable_missing: 1, window_closed: 0 } });
  expect(review.samples.map(({ message }) => message)).toEqual([
    'Hi Dora, order 7 is ready.',
    'Olá Eva, o pedido 8 chegou.',
  ]);
  const { body: found } = await scene.api.call(listWhatsappTemplates, { query: { search: template.name } });
  const beyond = await scene.api.call(listWhatsappTemplates, { query: { search: template.name, page: 9 } });
  expect(beyond.body).toMatchObject({ data: [], total: found.total });
  expect(found.data[0]?.used_by).toEqual([
    { type: 'bulk_run', id: run.id, name: 'Rows' },
    { type: 'flow', id: flow.id, name: 'Ready' },
  ]);
  await scene.api.call(startBulkRun, { params });
  await vi.waitFor(
    async () => expect((await scene.api.call(getBulkRun, { params })).body.status).toBe('completed'),
    patience,
  );
  expect(sentOf(template.name)).toMatchObject({
    '4915110003100': ['en_US', 'Dora', '7'],
    '4915110003101': ['pt_BR', 'Eva', '8'],
  });
  const { body: rows } = await scene.api.call(listBulkRows, { params, query: {} });
  expect(rows.data.at(-1)).toMatchObject({ status: 'skipped', error_code: 'variable_missing' });
});

test('people wait whose language alone is paused, until it may be sent again; the others get it', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  const portuguese = inPortuguese(template);
  await scene.sync();
  const segmentId = await scene.segment(people.slice(0, 3), 4915110004000);
  const about = { message_template_id: Number(portuguese.id), message_template_name: template.name };
  portuguese.status = 'PAUSED';
  meta.tell('message_template_status_update', {
    ...about,
    message_template_language: 'pt-BR',
    event: 'PAUSED',
    reason: 'NONE',
    other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours' },
  });
  const state = async () =>
    (await scene.api.call(listWhatsappTemplates, { query: { search: template.name, language: 'pt_BR' } })).body.data[0];
  await vi.waitFor(
    async () => expect(await state()).toMatchObject({ status: 'paused', paused_until: expect.any(String) as string }),
    patience,
  );
  const { id } = await launch(scene, bound(template), segmentId);
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, id)).toMatchObject({
        sent_count: 2,
        waiting_count: 1,
        waiting_for: 'template_paused',
        waiting_until: expect.any(String) as string,
      }),
    patience,
  );
  portuguese.status = 'APPROVED';
  meta.tell('message_template_status_update', { ...about, message_template_language: 'pt-BR', event: 'APPROVED' });
  await vi.waitFor(
    async () => expect(await campaignOf(scene, id)).toMatchObject({ status: 'completed', sent_count: 3 }),
    patience,
  );
});

test('a template that has changed since it was reviewed pauses what sends it, until somebody lets it go on', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  const segmentId = await scene.segment(people.slice(0, 2), 4915110005000);
  template.status = 'PAUSED';
  await scene.sync();
  const { id } = await launch(scene, bound(template), segmentId);
  const conditions = [{ fieldPath: 'custom_fields.group', operator: 'exists' as const, value: '' }];
  const { body: flow } = await scene.api.call(createFlow, {
    body: { name: 'Ready', conditions, action: { projectId: scene.project.id, template: bound(template) } },
  });
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, id)).toMatchObject({ status: 'running', waiting_for: 'template_paused' }),
    patience,
  );
  Object.assign(template, {
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hello {{first_name}}, {{order}} is here.' }],
  });
  await scene.sync();
  await vi.waitFor(
    async () =>
      expect(await campaignOf(scene, id)).toMatchObject({
        status: 'paused',
        waiting_for: 'template_changed',
        error: expect.stringContaining('has changed since it was reviewed') as string,
      }),
    patience,
  );
  const flowNow = async () => (await scene.api.call(getFlow, { params: { flowId: flow.id } })).body;
  await vi.waitFor(async () => expect(await flowNow()).toMatchObject({ waiting_for: 'template_changed' }), patience);
  expect(sentOf(template.name)).toEqual({});
  const before = (await campaignOf(scene, id)).template?.version;
  const stale = { ...bound(template), version: before };
  const body = { name: 'B', project_id: scene.project.id, segment_id: segmentId, template: stale };
  expect(await scene.api.refuse(createCampaign, { body })).toMatchObject({
    status: 409,
    body: { code: 'template_changed' },
  });
  await scene.api.call(resumeCampaign, { params: { campaignId: id } });
  await scene.api.call(updateFlow, { params: { flowId: flow.id }, body: { active: true } });
  await vi.waitFor(
    async () => expect(await campaignOf(scene, id)).toMatchObject({ status: 'completed', sent_count: 2, error: null }),
    patience,
  );
  await vi.waitFor(async () => expect(await flowNow()).toMatchObject({ counts: { sent: 2 } }), patience);
  expect((await campaignOf(scene, id)).template?.version).not.toBe(before);
});

test('a category that Meta changes stops nothing', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  const find = async () =>
    (await scene.api.call(listWhatsappTemplates, { query: { search: template.name } })).body.data[0];
  const segmentId = await scene.segment(people.slice(0, 1), 4915110006000);
  const id = (await find())?.id ?? 0;
  template.category = 'MARKETING';
  const campaign = await launch(scene, bound(template), segmentId, {
    when: new Date(Date.now() + 2_000).toISOString(),
  });
  meta.tell('template_category_update', {
    message_template_id: Number(template.id),
    previous_category: 'UTILITY',
    new_category: 'MARKETING',
  });
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getWhatsappTemplate, { params: { whatsappTemplateId: id } })).body.category).toBe(
        'marketing',
      ),
    patience,
  );
  await vi.waitFor(
    async () => expect(await campaignOf(scene, campaign.id)).toMatchObject({ status: 'completed', sent_count: 1 }),
    patience,
  );
});

test('faults of a binding are named by their paths; a text beside a template is refused', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  const segmentId = await scene.segment(people.slice(0, 1), 4915110007000);
  const paths = async (template_: object, more: object = {}) => {
    const body = {
      name: 'A',
      project_id: scene.project.id,
      segment_id: segmentId,
      template: template_,
      ...more,
    } as never;
    const { status, body: problem } = await scene.api.refuse(createCampaign, { body });
    return [status, problem.errors?.map(({ path }) => path)];
  };
  const { name, language } = template;
  expect(await paths({ name, language, variables: { first_name: '{name}', colour: 'red' } })).toEqual([
    422,
    ['template.variables.order', 'template.variables.colour'],
  ]);
  expect(await paths({ ...bound(template), name: 'spring_sail' })).toEqual([422, ['template.name']]);
  expect(await paths({ ...bound(template), language: 'fr' })).toEqual([422, ['template.language']]);
  expect(await paths({ ...bound(template), header_media: { id: 'med_x' } })).toEqual([422, ['template.header_media']]);
  expect(await paths(bound(template), { message: 'Hi' })).toEqual([422, ['message']]);
  const campaign = await launch(scene, bound(template), segmentId, {
    when: new Date(Date.now() + 60_000).toISOString(),
  });
  const params = { campaignId: campaign.id };
  const again = { ...campaign, name: 'Renamed' } as never;
  expect((await scene.api.call(updateCampaign, { params, body: again })).body.template).toEqual(campaign.template);
  const withText = await scene.api.refuse(updateCampaign, { params, body: { message: 'Hi' } });
  expect(withText).toMatchObject({ status: 422, body: { errors: [{ path: 'message' }] } });
  const { body: text } = await scene.api.call(updateCampaign, { params, body: { message: 'Hi', template: null } });
  expect(text).toMatchObject({ message: 'Hi', template: null });
});
