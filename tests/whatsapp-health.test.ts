import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaign, getCampaign, resumeCampaign } from '#contracts/campaigns.ts';
import { addPhoneNumber, connectPhone, getPhoneNumber, listPhoneLog } from '#contracts/phone-numbers.ts';
import { listMessages } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { inTransaction } from '#server/context.ts';
import { wakeCampaigns } from '#server/modules/outreach/campaigns/index.ts';
import { assessPhones } from '#server/modules/numbers/health/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeSegment } from './support/audience.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let whatsApp: WhatsAppStandIn;
let app: TestApplication;
/** Hours pass in the product, not at WhatsApp. */
let aheadMs = 0;
/** Set: no time passes in the product, and what holds for a moment can be seen on a machine of any speed. */
let stoppedAt: Date | undefined;
const clock = { now: () => stoppedAt ?? new Date(Date.now() + aheadMs) };

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen({ now: () => clock.now().getTime() });
  app = await startTestApplication({ clock, env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

type Owner = Awaited<ReturnType<typeof linkedOwner>>;

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
      return records.data.map(({ type }) => type);
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
    messagesTo: async (to: string) => {
      const { body: found } = await api.call(listMessages, { params: { projectId }, query: { pageSize: 100 } });
      return found.data.filter((message) => message.to === to);
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
  await expect.poll(owner.isConnected).toBe(true);
  await expect.poll(health).not.toBeNull();
  return owner;
}

/** Runs the work that is due then, as the rounds and polls of the hours that are left out would. */
async function pass(ms: number, { customer }: Owner): Promise<void> {
  aheadMs += ms;
  await assessPhones(app.ctx);
  await inTransaction(app.ctx, (tx) => wakeCampaigns(tx, customer.id));
}

test('a queued message that meets a time-lock goes back to its queue and out after it, and people who wrote are written to', async () => {
  const owner = await linkedOwner();
  const [stranger, friend] = [nextNumber(), nextNumber()];
  const until = new Date(clock.now().getTime() + 2 * hourMs);
  // A phone asks as it connects: one that knows of the lock by then sends nothing into it.
  await expect.poll(() => whatsApp.timeLockAsks(owner.number)).toBeGreaterThan(0);
  whatsApp.lockNewChats(owner.number, until);
  whatsApp.answerMessages({ to: stranger, answer: 463 });
  await whatsApp.incoming({ from: friend, to: owner.number, text: 'Hello?' });
  await expect.poll(() => owner.post(friend)).toMatchObject({ status: 200 });
  const find = await owner.campaign([stranger]);
  await expect.poll(async () => (await owner.health())?.state).toBe('limited');
  // The round that pauses the campaign may come at any moment from here on.
  expect(await find()).toMatchObject({ sent_count: 0, failed_count: 0, waiting_count: 1 });
  const ends = new Date(Math.floor(until.getTime() / 1000) * 1000 + 10 * minuteMs).toISOString();
  expect(await owner.health()).toMatchObject({ state: 'limited', code: 'time_lock', until: ends });
  // The lock is asked for, and noted, before the refusal is.
  await expect.poll(owner.log).toEqual(expect.arrayContaining(['refused', 'linked']));
  expect(await owner.webhooks()).toContain('phone.limited');
  expect(await owner.post(friend)).toMatchObject({ status: 200 });
  // The message is with the campaign again, and no phone has it.
  await pass(minuteMs, owner);
  // Going on after a lock is for a person to decide.
  await expect
    .poll(find)
    .toMatchObject({ status: 'paused', error: expect.stringMatching(/^WhatsApp locked \+\d+ while/) });
  expect(await owner.messagesTo(stranger)).toEqual([]);
  await owner.customer.api.call(resumeCampaign, { params: { campaignId: (await find()).id } });
  await expect.poll(find).toMatchObject({ waiting_for: 'phone_limited', waiting_until: ends });
  whatsApp.answerMessagesNormally();
  await pass(3 * hourMs, owner);
  await expect.poll(find).toMatchObject({ status: 'completed', sent_count: 1, failed_count: 0 });
  await expect.poll(() => whatsApp.contact(stranger).texts.length).toBe(1);
});

test('a lock that is over pauses no campaign again as the phone connects anew', async () => {
  const owner = await linkedOwner();
  const stranger = nextNumber();
  await expect.poll(() => whatsApp.timeLockAsks(owner.number)).toBeGreaterThan(0);
  whatsApp.lockNewChats(owner.number, new Date(clock.now().getTime() + 2 * hourMs));
  whatsApp.answerMessages({ to: stranger, answer: 463 });
  const find = await owner.campaign([stranger]);
  await expect.poll(find).toMatchObject({ status: 'paused' });
  await owner.customer.api.call(resumeCampaign, { params: { campaignId: (await find()).id } });
  await expect.poll(find).toMatchObject({ waiting_for: 'phone_limited' });
  whatsApp.answerMessagesNormally();
  aheadMs += 3 * hourMs;
  // A new connection asks, and WhatsApp names the old lock with its end.
  const toldBefore = (await owner.log()).filter((kind) => kind === 'time_lock').length;
  whatsApp.kick(owner.number, 'drop');
  await expect
    .poll(async () => (await owner.log()).filter((kind) => kind === 'time_lock').length)
    .toBeGreaterThan(toldBefore);
  await pass(0, owner);
  await expect.poll(find).toMatchObject({ status: 'completed', sent_count: 1, failed_count: 0 });
});

test('where nothing arrives any more the phone stops, and goes on after a day once one message has arrived', async () => {
  const owner = await linkedOwner();
  const [next, ...lost] = Array.from({ length: 11 }, nextNumber);
  for (const to of lost) {
    whatsApp.contact(to, { delivers: false });
    expect(await owner.post(to)).toMatchObject({ status: 200 });
  }
  await pass(61 * minuteMs, owner);
  expect(await owner.health()).toMatchObject({ state: 'limited', code: 'nothing_delivered' });
  expect(await owner.log()).toContain('nothing_delivered');
  const find = await owner.campaign([next ?? '']);
  await expect.poll(find).toMatchObject({ waiting_for: 'phone_limited', sent_count: 0 });
  await pass(24 * hourMs, owner);
  await expect.poll(find).toMatchObject({ status: 'completed', sent_count: 1 });
  await expect.poll(owner.health).toMatchObject({ state: 'watch', code: 'recovering' });
  await expect.poll(owner.webhooks).toEqual(expect.arrayContaining(['phone.limited', 'phone.recovered']));
});

test('of 30 messages under 60 % delivered halve the allowance', async () => {
  const owner = await linkedOwner();
  const people = Array.from({ length: 30 }, nextNumber);
  for (const [index, to] of people.entries()) {
    whatsApp.contact(to, { delivers: index % 2 === 0 });
    expect(await owner.post(to)).toMatchObject({ status: 200 });
  }
  const before = (await owner.health())?.allowances.known.allowed ?? 0;
  await pass(61 * minuteMs, owner);
  expect(await owner.health()).toMatchObject({ state: 'watch', code: 'few_delivered' });
  expect((await owner.health())?.allowances.known.allowed).toBe(before / 2);
});

test.each([
  ['NONE', 79, 'warming', 10],
  ['NONE', 80, 'watch', 5],
  ['FIRST_WARNING', 10, 'watch', 5],
  ['SECOND_WARNING', 10, 'watch', 1],
  ['CAPPED', 100, 'capped', 0],
])('with %s and %i of 100 new chats used the phone is %s, with %i first contacts a day', async (...row) => {
  const [status, used, state, allowed] = row;
  const endsAt = new Date(clock.now().getTime() + 24 * hourMs);
  const owner = await linkedOwner((number) => whatsApp.capNewChats(number, { status, used, total: 100, endsAt }));
  await expect.poll(owner.log).toContain('cap');
  await expect
    .poll(owner.health)
    .toMatchObject({ state, allowances: { first_contacts: { allowed }, known: { allowed: 100 } } });
});

test('locked for a time (402), it says why and comes back by itself, with one message first', async () => {
  const owner = await linkedOwner();
  stoppedAt = clock.now();
  try {
    whatsApp.lockFor(owner.number, 2, 101);
    await expect
      .poll(owner.health)
      .toMatchObject({ state: 'locked', reason: expect.stringMatching(/because it wrote to too many people/) });
    await expect.poll(owner.webhooks).toContain('phone.limited');
    await expect.poll(owner.isConnected).toBe(true);
  } finally {
    aheadMs += 2_000;
    stoppedAt = undefined;
  }
  await expect.poll(owner.health).toMatchObject({ state: 'watch', code: 'canary' });
  const [first, second] = [nextNumber(), nextNumber()];
  whatsApp.contact(first, { delivers: true });
  whatsApp.contact(second, { delivers: true });
  const find = await owner.campaign([first, second]);
  // The canary has arrived: the next one only waits for its pause.
  await expect.poll(owner.health).toMatchObject({ state: 'watch', code: 'recovering' });
  expect(await find()).toMatchObject({ sent_count: 1, failed_count: 0 });
  await expect.poll(owner.webhooks).toContain('phone.recovered');
});

test('while look-ups are refused (429) a queued message waits with its phone, and the log says so', async () => {
  const owner = await linkedOwner();
  whatsApp.faults.lookUpError = 429;
  try {
    const find = await owner.campaign([nextNumber()]);
    await expect.poll(owner.log).toContain('look_ups_paused');
    expect(await find()).toMatchObject({ status: 'running', failed_count: 0, sent_count: 0 });
  } finally {
    whatsApp.faults.lookUpError = undefined;
  }
});
