import { sendMessage } from '#contracts/messages.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createProject, updateProjectWebhook } from '#contracts/projects.ts';
import type { Project } from '#contracts/projects.ts';
import { createSegment } from '#contracts/segments.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

/** Somebody whose shop has been open for a while. */
export type Shop = { customer: Customer; project: Project; phoneId: number; profileId: number; campaignId: number };

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
  const phoneId = await addPhones(customer, project.id);
  const profileIds: number[] = [];
  for (let index = 0; index < 64; index += 1) profileIds.push(await addProfile(customer, index));
  const segmentIds: number[] = [];
  for (const body of segments) segmentIds.push((await api.call(createSegment, { body })).body.id);
  await sendMessages(customer, project);
  const [campaignId = 0] = await addCampaigns(customer, project.id, segmentIds);
  await addFlows(customer, project.id);
  return { customer, project, phoneId, profileId: profileIds.at(0) ?? 0, campaignId };
}

/** Answers the first of them. */
async function addPhones({ api }: Customer, projectId: number): Promise<number> {
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
  return ids[0] ?? 0;
}

async function addProfile({ api }: Customer, index: number): Promise<number> {
  const name = `${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]}`;
  const { body } = await api.call(createProfile, {
    body: {
      // One in sixteen has a number that no network gives out.
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
  const asProject = api.as({ 'x-auth-key': project.auth_key });
  for (let index = 0; index < 36; index += 1) {
    const to = index % 12 === 7 ? '351912310000' : `3519123${10_000 + (index % 20)}`;
    const message = texts[index % texts.length] ?? '';
    const call = { headers: {}, body: { to, message } };
    if (to.endsWith('0000')) await asProject.refuse(sendMessage, call);
    else await asProject.call(sendMessage, call);
  }
}

/** One that is sent, and one that waits for its time. */
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
