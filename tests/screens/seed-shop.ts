import { setTimeout as delay } from 'node:timers/promises';
import { listConversations, replyToConversation, updateConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { createBulkRun, startBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign, getCampaign, listRecipients } from '#contracts/campaigns.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createProject, updateProjectWebhook } from '#contracts/projects.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import type { NewProjectKey } from '#contracts/project-keys.ts';
import type { Project } from '#contracts/projects.ts';
import { createWebhookEndpoint, updateWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSavedView } from '#contracts/saved-views.ts';
import { createSegment } from '#contracts/segments.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

/** Somebody whose shop has been open for a while. */
export type Shop = {
  customer: Customer;
  project: Project;
  phoneId: number;
  profileId: number;
  campaignId: number;
  runId: number;
};

const firstNames = ['Maria', 'João', 'Ana', 'Pedro', 'Beatriz', 'Tiago', 'Inês', 'Rui', 'Sofia', 'Miguel'];
const lastNames = ['Silva', 'Souza', 'Lima', 'Costa', 'Almeida', 'Ferreira Rodrigues', 'Lindqvist'];
const shops = ['Corner', 'North Light', 'Larkspur', 'Harbour'];

const texts = [
  'Your order 1042 is on its way ✓',
  'Hi Maria, your repair is done. You can pick it up until 18:00 today.',
  'Reminder: your appointment is tomorrow at 9:30. Reply with 1 to confirm, or with 2 to choose another time.',
  'Your code is 481 516',
];

const segments = [
  { name: 'Installed users', condition: { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } },
  { name: 'Without an email address', condition: { fieldPath: 'email', operator: 'not_exists', value: '' } },
  { name: 'Trial customers', condition: { fieldPath: 'custom_fields.plan', operator: 'equals', value: 'trial' } },
] as const;

export async function seedShop(url: string): Promise<Shop> {
  const customer = await signUpSubscriber(url, 'Europe/Lisbon');
  const { api } = customer;
  const { body: project } = await api.call(createProject, {
    body: { name: 'Larkspur Store', webhook_url: null },
  });
  const [phoneId = 0, supportPhoneId = 0] = await addPhones(customer, project.id);
  const profileIds: number[] = [];
  for (let index = 0; index < 64; index += 1) profileIds.push(await addProfile(customer, index));
  const segmentIds: number[] = [];
  for (const body of segments) segmentIds.push((await api.call(createSegment, { body })).body.id);
  await sendMessages(customer, project);
  await addConversations(customer, { projectId: project.id, phoneId });
  const [campaignId = 0] = await addCampaigns(customer, project.id, segmentIds);
  await addFlows(customer, project.id);
  await addDeveloperThings(customer, project.id);
  const runId = await addBulkRun(customer, project.id);
  await addTemplates(customer);
  await answerCampaign(customer, { campaignId, phoneId: supportPhoneId });
  return { customer, project, phoneId, profileId: profileIds.at(0) ?? 0, campaignId, runId };
}

/** Answers their ids. A recipient that ends in 0006 takes the link from the one that sends to it. */
async function addPhones({ api }: Customer, projectId: number): Promise<number[]> {
  const phones = [
    {
      phone_number: '+351 912 345 678',
      name: 'Front desk',
      connector: 'sandbox',
      priority: 10,
      max_daily_messages: 50,
    },
    { phone_number: '+351 912 345 679', name: 'Support line', connector: 'sandbox' },
    { phone_number: '+55 11 91234 5678', connector: 'whatsapp', is_active: false },
  ] as const;
  const ids: number[] = [];
  for (const body of phones) {
    const { body: phone } = await api.call(addPhoneNumber, { params: { projectId }, body });
    ids.push(phone.id);
    if (body.connector === 'sandbox') await api.call(connectPhone, { params: { phoneId: phone.id } });
  }
  return ids;
}

/** Some of its recipients are refused. */
async function addBulkRun({ api }: Customer, projectId: number): Promise<number> {
  const rows = Array.from({ length: 24 }, (_, row) => ({
    to: row % 6 === 5 ? '14155550000' : `3519123${10_030 + row}`,
    fields: { name: firstNames[row % firstNames.length] ?? '' },
  }));
  const { body: run } = await api.call(createBulkRun, {
    body: { name: 'customers-november.csv', project_id: projectId, message: 'Hi {name}, we moved!', delay_ms: 0, rows },
  });
  await api.call(startBulkRun, { params: { runId: run.id } });
  return run.id;
}

async function addTemplates({ api }: Customer): Promise<void> {
  const templates = {
    'Order ready': 'Hi {name|there}, your order is ready at {custom_fields.shop|our shop}. We are open until 19:00.',
    'Appointment tomorrow': 'Hi {name|there}, see you tomorrow. Answer 2 to choose another time.',
    'Autumn sale': 'Hi {name}, 20 % off everything in {custom_fields.shop} until Sunday.',
    'Ask for an address': 'Hi {name|there}, where may we write to you?',
  };
  for (const [name, message] of Object.entries(templates)) await api.call(createTemplate, { body: { name, message } });
  await api.call(createSavedView, { body: { list: 'campaigns', name: 'Waiting', search: 'status=scheduled' } });
}

/** Once it is sent, some of its people answer. */
async function answerCampaign({ api }: Customer, of: { campaignId: number; phoneId: number }): Promise<void> {
  const params = { campaignId: of.campaignId };
  const isSent = async () => (await api.call(getCampaign, { params })).body.status === 'completed';
  for (let tries = 0; tries < 120 && !(await isSent()); tries += 1) await delay(250);
  const { body } = await api.call(listRecipients, { params, query: { status: 'sent', pageSize: 6 } });
  for (const { phone } of body.data) {
    await api.call(receiveSandboxMessage, {
      params: { phoneId: of.phoneId },
      body: { from: phone, message: 'Very well, thank you!' },
    });
  }
}

async function addProfile({ api }: Customer, index: number): Promise<number> {
  const name = `${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]}`;
  const { body } = await api.call(createProfile, {
    body: {
      // Every sixteenth profile has a number that no network gives out.
      phone: index % 16 === 5 ? `+1 555 000 ${1000 + index}` : `+351 91 23${String(10_000 + index)}`,
      name,
      ...(index % 3 !== 0 && { email: `customer-${index}@example.com` }),
      custom_fields: {
        installed: index % 2 === 0,
        plan: index % 4 === 0 ? 'trial' : 'pro',
        shop: shops[index % shops.length],
        visits: index * 3,
      },
      ...(index % 9 === 4 && { status: 'inactive' }),
      ...(index % 4 === 0 && { tags: index % 8 === 0 ? ['vip', 'regular'] : ['vip'] }),
    },
  });
  return body.id;
}

/** A recipient ending in 0000 is refused; a webhook to this machine fails, which leaves records to look at too. */
async function sendMessages({ api }: Customer, project: Project): Promise<void> {
  await api.call(updateProjectWebhook, {
    params: { projectId: project.id },
    body: { webhook_url: 'http://127.0.0.1:9/hooks' },
  });
  const asProject = api.as({ 'x-auth-key': project.auth_key ?? '' });
  for (let index = 0; index < 36; index += 1) {
    const to = index % 12 === 7 ? '14155550000' : `3519123${10_010 + (index % 20)}`;
    const message = texts[index % texts.length] ?? '';
    const call = { headers: {}, body: { to, message } };
    if (to.endsWith('0000')) await asProject.refuse(sendMessage, call);
    else await asProject.call(sendMessage, call);
  }
}

/** Adds a developer's things: two more keys, and endpoints of which one is paused. */
async function addDeveloperThings({ api }: Customer, projectId: number): Promise<void> {
  const params = { projectId };
  const keys: NewProjectKey[] = [
    { name: 'Shop backend', scopes: ['messages:send', 'messages:read'] },
    { name: 'Warehouse scanner', scopes: ['messages:send'], addresses: ['203.0.113.0/28'] },
  ];
  for (const body of keys) await api.call(createProjectKey, { params, body });
  const url = 'https://desk.larkspur.example/in/whatsapp';
  const body = { url, events: ['message.received' as const, 'contact.opted_out' as const], description: 'Helpdesk' };
  const { body: desk } = await api.call(createWebhookEndpoint, { params, body });
  const paused = { params: { projectId, endpointId: desk.id }, body: { is_paused: true } };
  await api.call(updateWebhookEndpoint, paused);
}

const incoming: readonly (readonly [from: string, ...texts: string[]])[] = [
  ['351912310010', 'Hi, is the *blue one* still there?', 'I would take two of them.'],
  ['351912310011', 'Can I still change the delivery address?'],
  ['61491570156', 'Is the shop open on Saturday?'],
  ['351912310012', 'My order has not arrived yet, and the tracking page has said the same thing since Tuesday.'],
  ['351912310013', 'Obrigada! Chegou tudo bem 😊'],
  ['351912310014', 'Can you send me the invoice again, please?'],
  ['351912310020', 'The courier left it like this. Is the box all right?', 'I think one bag is torn'],
];

/** People who wrote, the last of them answered; some are read. */
async function addConversations(
  { api }: Customer,
  { projectId, phoneId }: { projectId: number; phoneId: number },
): Promise<void> {
  for (const [from, ...messages] of incoming) {
    for (const message of messages) {
      await api.call(receiveSandboxMessage, { params: { phoneId }, body: { from, message } });
    }
  }
  const { body } = await api.call(listConversations, { query: { project_id: projectId } });
  const [latest, second, ...others] = body.data;
  const params = { conversationId: latest?.id ?? 0 };
  const question = latest?.last_message?.id;
  const replies = [
    'So sorry to hear that.',
    'A new bag goes out today, at no charge of course. You get the number of the parcel at about four.',
  ];
  for (const message of replies) {
    const answered = message === replies[0] && question !== undefined ? { reply_to: question } : {};
    await api.call(replyToConversation, { params, body: { message, ...answered } });
  }
  await api.call(replyToConversation, {
    params,
    body: { type: 'reaction', reaction: { message_id: question ?? 0, emoji: '🙏' } },
  });
  for (const { id } of [second, others.at(-1)].filter((each) => each !== undefined)) {
    await api.call(updateConversation, { params: { conversationId: id }, body: { read: true } });
  }
}

/** Adds a campaign that is sent, and another that waits for its time. */
async function addCampaigns({ api }: Customer, projectId: number, segmentIds: readonly number[]): Promise<number[]> {
  const [installed = 0, withoutEmail = 0] = segmentIds;
  const project = { project_id: projectId };
  const campaigns = [
    {
      name: 'Installed follow-up',
      segment_id: installed,
      message: 'Hi {name}, how is {shop} doing?',
      duration: null,
      when: null,
    },
    {
      name: 'Ask for the email address',
      segment_id: withoutEmail,
      message: 'Hi {name}, where may we write to you?',
      duration: 240,
      when: new Date(Date.now() + 36 * 60 * 60_000).toISOString(),
    },
  ];
  const ids: number[] = [];
  for (const body of campaigns) ids.push((await api.call(createCampaign, { body: { ...body, ...project } })).body.id);
  return ids;
}

async function addFlows({ api }: Customer, projectId: number): Promise<void> {
  const duration = { type: 'last_days', days: 30, dateFieldPath: 'created_at' } as const;
  const flows = [
    {
      name: 'Welcome trial customers',
      conditions: [{ fieldPath: 'custom_fields.plan', operator: 'equals', value: 'trial' }],
      message: 'Welcome {name}! Your trial at {custom_fields.shop} runs for 14 days.',
      frequency: { type: 'lifetime' },
      active: true,
    },
    {
      name: 'Come back',
      conditions: [
        { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'false' },
        { fieldPath: 'updated_at', operator: 'before_days_ago', value: '7' },
      ],
      message: 'Hi {name}, can we help?',
      frequency: { type: 'once_per_days', value: 30 },
      active: false,
    },
  ] as const;
  for (const { message, ...flow } of flows) {
    const action = { type: 'send_message', projectId, message } as const;
    await api.call(createFlow, { body: { ...flow, conditions: [...flow.conditions], duration, action } });
  }
}
