import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import { addPhoneNumber, connectPhone, getPhoneNumber, listPhoneLog } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeSegment } from './support/audience.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const timeout = 20_000;

let whatsApp: WhatsAppStandIn;
let app: TestApplication;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

let lastNumber = 5_511_900_500_000;
const nextNumber = () => String((lastNumber += 1));

/** A linked phone that may write to somebody new by day and by night, without waiting for a day first. */
async function linkedOwner(before?: (number: string) => void) {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const { id: projectId, auth_key: authKey } = await makeProject(customer, 'https://example.com/hook');
  const number = nextNumber();
  before?.(number);
  const protection = { quiet_hours: false, older_account: true };
  const body = { phone_number: number, protection };
  const { body: phone } = await api.call(addPhoneNumber, { params: { projectId }, body });
  const params = { phoneId: phone.id };
  const { body: link } = await api.call(connectPhone, { params });
  if (!('qr_payload' in link)) throw new Error('No code was offered');
  await whatsApp.scan(link.qr_payload, number);
  const health = async () => (await api.call(getPhoneNumber, { params })).body.health;
  const owner = {
    customer,
    projectId,
    number,
    health,
    isConnected: async () => (await api.call(getPhoneNumber, { params })).body.is_connected,
    log: async () =>
      (await api.call(listPhoneLog, { params, query: { pageSize: 100 } })).body.data.map(({ kind }) => kind),
    webhooks: async () => {
      const { body: records } = await api.call(listWebhooks, { params: { projectId }, query: { pageSize: 100 } });
      return records.data.map(({ payload }) => payload.type);
    },
    /** A campaign to these numbers; answers how it stands. */
    async campaign(people: readonly string[]) {
      for (const to of people) {
        await api.call(createProfile, { body: { phone: to, custom_fields: { group: 'all' } } });
      }
      const segment = await makeSegment(customer);
      const content = { name: 'Spring sale', project_id: projectId, segment_id: segment.id, message: 'Hello' };
      const { body: campaign } = await api.call(createCampaign, { body: content });
      return async () => (await api.call(getCampaign, { params: { campaignId: campaign.id } })).body;
    },
    async post(to: string) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': authKey },
        body: JSON.stringify({ to, message: 'Hello' }),
      });
      return { status: response.status, body: (await response.json()) as { code?: string } };
    },
  };
  await expect.poll(owner.isConnected, { timeout }).toBe(true);
  await expect.poll(health, { timeout }).not.toBeNull();
  return owner;
}

test('a queued message that meets a time-lock goes back to its queue, and people who wrote are written to', async () => {
  const owner = await linkedOwner();
  const [stranger, friend] = [nextNumber(), nextNumber()];
  const until = new Date(Date.now() + 2 * hourMs);
  whatsApp.lockNewChats(owner.number, until);
  whatsApp.answerMessages({ to: stranger, answer: 463 });
  await whatsApp.incoming({ from: friend, to: owner.number, text: 'Hello?' });
  await expect.poll(() => owner.post(friend), { timeout }).toMatchObject({ status: 200 });
  const find = await owner.campaign([stranger]);
  await expect.poll(async () => (await owner.health())?.state, { timeout }).toBe('limited');
  expect(await find()).toMatchObject({ status: 'running', sent_count: 0, failed_count: 0 });
  const ends = new Date(Math.floor(until.getTime() / 1000) * 1000 + 10 * minuteMs).toISOString();
  expect(await owner.health()).toMatchObject({ state: 'limited', code: 'time_lock', until: ends });
  expect(await owner.log()).toEqual(expect.arrayContaining(['refused', 'linked']));
  expect(await owner.webhooks()).toContain('phone.limited');
  expect(await owner.post(friend)).toMatchObject({ status: 200 });
});

test.each([
  ['NONE', 79, 'warming', 10],
  ['NONE', 80, 'watch', 5],
  ['FIRST_WARNING', 10, 'watch', 5],
  ['SECOND_WARNING', 10, 'watch', 1],
  ['CAPPED', 100, 'capped', 0],
])('with %s and %i of 100 new chats used the phone is %s, with %i first contacts a day', async (...row) => {
  const [status, used, state, allowed] = row;
  const endsAt = new Date(Date.now() + 24 * hourMs);
  const owner = await linkedOwner((number) => whatsApp.capNewChats(number, { status, used, total: 100, endsAt }));
  await expect.poll(owner.log, { timeout }).toContain('cap');
  await expect
    .poll(owner.health, { timeout })
    .toMatchObject({ state, allowances: { first_contacts: { allowed }, known: { allowed: 100 } } });
});

test('locked for a time (402), it says why and comes back by itself, with one message first', async () => {
  const owner = await linkedOwner();
  whatsApp.lockFor(owner.number, 2, 101);
  await expect
    .poll(owner.health, { timeout })
    .toMatchObject({ state: 'locked', reason: expect.stringMatching(/because it wrote to too many people/) });
  await expect.poll(owner.webhooks, { timeout }).toContain('phone.limited');
  await expect.poll(owner.isConnected, { timeout }).toBe(true);
  await expect.poll(owner.health, { timeout }).toMatchObject({ state: 'watch', code: 'canary' });
  const [first, second] = [nextNumber(), nextNumber()];
  whatsApp.contact(first, { delivers: true });
  whatsApp.contact(second, { delivers: true });
  const find = await owner.campaign([first, second]);
  // The canary has arrived: the next one only waits for its pause.
  await expect.poll(owner.health, { timeout }).toMatchObject({ state: 'watch', code: 'recovering' });
  expect(await find()).toMatchObject({ sent_count: 1, failed_count: 0 });
  await expect.poll(owner.webhooks, { timeout }).toContain('phone.recovered');
});

test('while look-ups are refused (429) a queued message waits with its phone, and the log says so', async () => {
  const owner = await linkedOwner();
  whatsApp.faults.lookUpError = 429;
  try {
    const find = await owner.campaign([nextNumber()]);
    await expect.poll(owner.log, { timeout }).toContain('look_ups_paused');
    expect(await find()).toMatchObject({ status: 'running', failed_count: 0, sent_count: 0 });
  } finally {
    whatsApp.faults.lookUpError = undefined;
  }
});
