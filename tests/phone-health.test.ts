import { afterAll, beforeAll, expect, test } from 'vitest';
import { getPhoneHealthHistory, getPhoneNumber, listPhoneLog } from '#contracts/phone-numbers.ts';
import { updateProject } from '#contracts/projects.ts';
import { getProfile } from '#contracts/profiles.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { inTransaction } from '#server/context.ts';
import {
  acceptMessages,
  claimQueued,
  queueMessages,
  receiveMessage,
  settleMessages,
} from '#server/modules/messaging/messages/index.ts';
import { assessPhones, recordSignal, removeOldHealthRows } from '#server/modules/numbers/health/index.ts';
import { findRotationPhones } from '#server/modules/numbers/phones/index.ts';
import { recordLinkEnded } from '#server/modules/numbers/links/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { insertProfiles } from './support/audience.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { addPacedPhone } from './support/paced-phone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Daytime in the whole of Britain. */
const noon = new Date('2026-06-10T12:00:00Z');

let app: TestApplication;

beforeAll(async () => {
  // Its own worker finds nothing: the tests play the workers, in virtual time.
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(() => app[Symbol.asyncDispose]());

async function makeScene(options: { facts?: object; start?: Date } = {}) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const scope = { customer, projectId: project.id };
  const phone = await addPacedPhone(app, scope, { start: noon, ...options });
  await insertProfiles(app.ctx.pool, customer.id, 1);
  const { rows } = await app.ctx.pool.query<{ id: number }>('select id from profiles where account_id = $1', [
    customer.id,
  ]);
  return { ...scope, ...phone, profileId: rows[0]?.id ?? 0 };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** The types of the project's webhooks, the oldest first, with what was said of the phone's health. */
async function webhooksOf({ customer, projectId }: Scene) {
  const { body } = await customer.api.call(listWebhooks, { params: { projectId }, query: { pageSize: 100 } });
  return body.data
    .toReversed()
    .map(({ type, sequence, payload }) => ({ type, sequence, health: payload?.data['health'] }))
    .filter(({ type }) => type.startsWith('phone.'));
}

async function logOf({ customer, phoneId }: Scene) {
  const { body } = await customer.api.call(listPhoneLog, { params: { phoneId }, query: { pageSize: 100 } });
  return body.data.toReversed();
}

/** Hands a message to the phone, claims it and answers what became of it. */
async function sendQueued(
  { ctx, customer, projectId, lease, profileId, clock }: Scene,
  to: string,
  isDelivered = true,
) {
  const scope = { account: { id: customer.id, timezone: 'UTC' }, projectId };
  const text = { profileId, to, message: 'Hello', origin: { campaignId: 1 } };
  const [queueing] = await inTransaction(ctx, (tx) => queueMessages(tx, scope, [text]));
  if (queueing?.kind !== 'queued') return queueing?.kind;
  const networkId = `N${queueing.messageId}`;
  const { message } = await claimQueued(ctx, { lease, networkId, random: () => 0 });
  if (!message) return 'held';
  const from = { authority: { kind: 'lease', lease }, networkId, resendIsHarmless: true } as const;
  const receipt = { networkId, status: 'delivered', at: clock.now() } as const;
  await settleMessages(ctx, [
    { ...from, news: { kind: 'outcome', outcome: { kind: 'accepted', at: clock.now() } } },
    ...(isDelivered ? [{ ...from, news: { kind: 'receipt' as const, receipt } }] : []),
  ]);
  return 'sent';
}

/** So many were accepted two hours ago, the oldest first; `delivered` of them arrived. */
async function sendsBefore({ ctx, customer, phoneId, clock }: Scene, count: number, delivered: number): Promise<void> {
  const at = new Date(clock.now().getTime() - 2 * hourMs);
  await ctx.pool.query(
    `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at, delivered_at)
     select $1, $2, -n, '44700001' || n, 'known', $3, $3, case when n <= $4 then $3::timestamptz end
       from generate_series(1, $5) as n`,
    [customer.id, phoneId, at, delivered, count],
  );
}

test('a time-lock is told once, a canary ends it, and the log says each step', async () => {
  const scene = await makeScene();
  const { ctx, lease, clock } = scene;
  const timeLock = { isActive: true, endsAt: new Date(noon.getTime() + hourMs) };
  await recordSignal(ctx, lease, { kind: 'refused', to: '447500900001', networkId: 'N0', timeLock });
  await recordSignal(ctx, lease, { kind: 'time_lock', timeLock });
  const until = new Date(noon.getTime() + hourMs + 10 * minuteMs).toISOString();
  expect(await webhooksOf(scene)).toEqual([
    {
      type: 'phone.limited',
      sequence: 1,
      health: expect.objectContaining({ state: 'limited', code: 'time_lock', until }),
    },
  ]);
  expect(await sendQueued(scene, '447500900002')).toBe('later');
  clock.advance(2 * hourMs);
  await assessPhones(ctx);
  // The limit is over; whether the number may write again shows with its canary.
  expect(await webhooksOf(scene)).toHaveLength(1);
  expect(await sendQueued(scene, '447500900002')).toBe('sent');
  const recovered = (await webhooksOf(scene)).at(-1);
  expect(recovered).toMatchObject({
    type: 'phone.recovered',
    sequence: 2,
    health: { state: 'watch', code: 'recovering' },
  });
  expect((await logOf(scene)).map(({ kind, number }) => ({ kind, number }))).toEqual([
    { kind: 'refused', number: '447500900001' },
    { kind: 'time_lock', number: null },
    { kind: 'recovered', number: null },
  ]);
});

test('a contact whose message was refused has to write first, until they do or a message of the handset is taken', async () => {
  const scene = await makeScene();
  const { ctx, customer, projectId, phoneId, lease, clock } = scene;
  const phone = { accountId: customer.id, projectId, phoneId, number: '442070000001' };
  const [writer, taken] = ['447500900021', '447500900022'];
  const wasRefused = async () => {
    const phones = await findRotationPhones(ctx, { accountId: customer.id, projectIds: [projectId] });
    return phones.map(({ was_refused }) => was_refused);
  };
  const timeLock = { isActive: false, endsAt: null };
  for (const to of [writer, taken]) {
    await recordSignal(ctx, lease, { kind: 'refused', to, networkId: 'N0', timeLock });
    expect(await sendQueued(scene, to)).toBe('must_write_first');
    // A second one within a day would limit the phone.
    clock.advance(dayMs);
  }
  expect(await wasRefused()).toEqual([true]);
  const content = { type: 'text', text: 'Hello' } as const;
  const message = (number: string, isFromHandset: boolean) =>
    receiveMessage(ctx, phone, {
      networkId: `from-${number}`,
      peer: { number },
      isFromHandset,
      at: clock.now(),
      content,
    });
  await message(writer, false);
  expect(await sendQueued(scene, writer)).toBe('sent');
  expect(await wasRefused()).toEqual([true]);
  await message(taken, true);
  expect(await wasRefused()).toEqual([false]);
  clock.advance(hourMs);
  expect(await sendQueued(scene, taken)).toBe('sent');
});

const noLock = { isActive: false, endsAt: null };

/** Somebody who wrote to the phone. */
async function writeTo({ ctx, customer, phoneId }: Scene, number: string): Promise<void> {
  await ctx.pool.query(
    'insert into phone_contacts (account_id, phone_id, phone_key, wrote_at) values ($1, $2, phone_key($3), $4)',
    [customer.id, phoneId, number, noon],
  );
}

test('a known contact that is refused without a lock waits alone; the third within an hour stops the phone', async () => {
  const scene = await makeScene();
  const people = ['447500900041', '447500900042', '447500900043', '447500900044'] as const;
  for (const number of people) await writeTo(scene, number);
  const refuse = (to: string) =>
    recordSignal(scene.ctx, scene.lease, { kind: 'refused', to, networkId: 'N0', timeLock: noLock });
  await refuse(people[0]);
  await refuse(people[0]);
  await refuse(people[1]);
  expect(await sendQueued(scene, people[0])).toBe('must_write_first');
  expect(await sendQueued(scene, people[3])).toBe('sent');
  expect(await webhooksOf(scene)).toEqual([]);
  await refuse(people[2]);
  expect(await webhooksOf(scene)).toMatchObject([{ type: 'phone.limited', health: { code: 'known_refused' } }]);
});

test('the log says what a refusal did: to a direct message, and the second within a day', async () => {
  const scene = await makeScene();
  const { ctx, lease, customer, projectId } = scene;
  const refuse = (to: string) => recordSignal(ctx, lease, { kind: 'refused', to, networkId: to, timeLock: noLock });
  const { rows } = await ctx.pool.query<{ id: number }>(
    `insert into messages (account_id, project_id, id, phone_id, direction, recipient, sender, body, status, network_id, is_queued, created_at)
     select $1, $2, next_record_id(), $3, 'outgoing', n, '442070000001', 'Hi', 'sending', n, case when n = '447500900051' then true end, now()
       from unnest(array['447500900051', '447500900052']) as n returning id`,
    [customer.id, projectId, scene.phoneId],
  );
  expect(rows).toHaveLength(2);
  await refuse('447500900051');
  await refuse('447500900052');
  const log = (await logOf(scene)).filter(({ kind }) => kind === 'refused');
  expect(log).toMatchObject([
    { effect: expect.stringMatching(/has to write first\. The message went back to its queue/), until: null },
    {
      effect: expect.stringMatching(/second within a day.*24 hours\. The message failed: it was sent directly/),
      until: new Date(noon.getTime() + dayMs).toISOString(),
    },
  ]);
});

test('opting out is no answer, and counts against the number', async () => {
  const scene = await makeScene();
  const { ctx, customer, projectId, phoneId, clock } = scene;
  await ctx.pool.query(
    `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at, delivered_at)
     select $1, $2, -n, phone_key('4475009' || (10000 + n)), 'first', $3, $3, $3 from generate_series(1, 50) as n`,
    [customer.id, phoneId, new Date(noon.getTime() - 2 * hourMs)],
  );
  const phone = { accountId: customer.id, projectId, phoneId, number: '442070000001' };
  const say = (number: string, text: string) =>
    receiveMessage(ctx, phone, {
      networkId: `says-${number}`,
      peer: { number },
      isFromHandset: false,
      at: clock.now(),
      content: { type: 'text', text },
    });
  for (const n of [1, 2, 3]) await say(`4475009${10_000 + n}`, 'STOP');
  await say('447500910004', 'Yes');
  const { rows } = await ctx.pool.query<{ answered: number; out: number }>(
    'select count(answered_at)::int as answered, count(opted_out_at)::int as out from phone_sends where phone_id = $1',
    [phoneId],
  );
  expect(rows).toEqual([{ answered: 1, out: 3 }]);
  await assessPhones(ctx);
  const { rows: health } = await ctx.pool.query('select state, code from phone_health where phone_id = $1', [phoneId]);
  expect(health).toEqual([{ state: 'watch', code: 'many_opted_out' }]);
});

test('first contacts are people: ten messages to one are one of the allowance, and twice the allowance is watched', async () => {
  const scene = await makeScene({ facts: { rampDay: 1 } });
  const { ctx, customer, phoneId } = scene;
  const send = (people: number, of = 1) =>
    ctx.pool.query(
      `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at)
       select $1, $2, -p * 100 - n, '44750091' || p, 'first', $3, $3
         from generate_series(1, $4) as p, generate_series(1, $5) as n on conflict do nothing`,
      [customer.id, phoneId, noon, people, of],
    );
  const codeOf = async () => {
    await assessPhones(ctx);
    const { rows } = await ctx.pool.query<{ code: string }>('select code from phone_health where phone_id = $1', [
      phoneId,
    ]);
    return rows[0]?.code;
  };
  await send(9, 10);
  expect(await sendQueued(scene, '447500900061')).toBe('sent');
  expect(await sendQueued(scene, '447500900062')).toBe('later');
  expect(await codeOf()).toBe('warming_up');
  await send(19);
  expect(await codeOf()).toBe('over_allowance');
});

test('must_write_first is reported whatever limits this phone and others of the project have', async () => {
  const scene = await makeScene();
  const { ctx, customer, projectId, lease } = scene;
  const other = await addPacedPhone(app, scene, { start: noon, number: '442070000002' });
  const to = '447500900071';
  await recordSignal(ctx, lease, { kind: 'refused', to, networkId: 'N0', timeLock: noLock });
  const timeLock = { isActive: true, endsAt: new Date(noon.getTime() + hourMs) };
  await recordSignal(ctx, other.lease, { kind: 'time_lock', timeLock });
  const accept = async (number: string, phoneId?: number) => {
    const scope = { account: { id: customer.id, timezone: 'UTC' }, projectId };
    const content = { type: 'text', text: 'Hi' } as const;
    const submission = { to: number, content, phoneId, key: undefined, onId: () => undefined };
    const [acceptance] = await acceptMessages(ctx, scope, [submission]);
    return acceptance?.kind;
  };
  expect(await accept(to, scene.phoneId)).toBe('must_write_first');
  await recordSignal(ctx, lease, { kind: 'time_lock', timeLock });
  expect(await accept(to, scene.phoneId)).toBe('must_write_first');
  expect(await accept('447500900072')).toBe('phones_limited');
});

test('a cap that is reached is told, and its cycle ends without a send', async () => {
  const scene = await makeScene();
  const { ctx, lease, clock } = scene;
  const cap = {
    kind: 'cap',
    status: 'CAPPED',
    used: 100,
    total: 100,
    endsAt: new Date(noon.getTime() + hourMs),
  } as const;
  await recordSignal(ctx, lease, cap);
  expect(await webhooksOf(scene)).toMatchObject([{ type: 'phone.limited', health: { state: 'capped' } }]);
  clock.advance(30 * minuteMs);
  await assessPhones(ctx);
  expect(await webhooksOf(scene)).toHaveLength(1);
  clock.advance(hourMs);
  await assessPhones(ctx);
  await assessPhones(ctx);
  expect((await webhooksOf(scene)).map(({ type }) => type)).toEqual(['phone.limited', 'phone.recovered']);
});

test('where none of ten messages arrives, the phone is stopped though it sends nothing more', async () => {
  const scene = await makeScene();
  await sendsBefore(scene, 10, 0);
  await assessPhones(scene.ctx);
  expect(await webhooksOf(scene)).toMatchObject([
    { type: 'phone.limited', health: { state: 'limited', code: 'nothing_delivered' } },
  ]);
  expect((await logOf(scene)).map(({ kind }) => kind)).toEqual(['nothing_delivered', 'step']);
});

test('a step of the warm-up is taken and noted on its day, once', async () => {
  const scene = await makeScene({ facts: { rampDay: 21 } });
  scene.clock.advance(dayMs);
  await assessPhones(scene.ctx);
  await assessPhones(scene.ctx);
  const log = await logOf(scene);
  expect(log).toMatchObject([
    { kind: 'step', message: 'The warm-up took a step.', effect: '60 first contacts and 800 known ones a day.' },
  ]);
  expect(await webhooksOf(scene)).toEqual([]);
});

test('the page of a phone has its warm-up, the days of the account and its log', async () => {
  // The application's own clock answers.
  const scene = await makeScene({ start: app.ctx.clock.now(), facts: { rampDay: 9 } });
  await sendsBefore(scene, 5, 3);
  const params = { phoneId: scene.phoneId };
  const { body } = await scene.customer.api.call(getPhoneHealthHistory, { params });
  expect(body.warm_up).toMatchObject({
    day: 9,
    steps: expect.arrayContaining([{ from_day: 8, first_contacts: 25, known: 300 }]),
  });
  expect(Date.parse(body.warm_up?.next_step_on ?? '') - Date.now()).toBeGreaterThan(4 * dayMs);
  expect(body.days).toHaveLength(14);
  const total = (name: 'sent' | 'delivered') => body.days.reduce((sum, day) => sum + day[name], 0);
  expect([total('sent'), total('delivered')]).toEqual([5, 3]);
  const { body: phone } = await scene.customer.api.call(getPhoneNumber, { params });
  expect(phone).toMatchObject({ id: scene.phoneId, health: { warm_up_day: 9 } });
  const other = await signUpSubscriber(app.url);
  for (const endpoint of [getPhoneHealthHistory, getPhoneNumber, listPhoneLog]) {
    expect(await other.api.refuse(endpoint as typeof getPhoneNumber, { params })).toMatchObject({ status: 404 });
  }
});

test('sends and signals of long ago are deleted; those still used for judging stay', async () => {
  const scene = await makeScene();
  const { ctx, customer, phoneId, clock } = scene;
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  for (const [id, days] of [
    [4, 50],
    [3, 40],
    [2, 36],
    [1, 20],
  ] as const) {
    await ctx.pool.query(
      `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at) values ($1, $2, $3, '4470', 'first', $4)`,
      [customer.id, phoneId, id, daysAgo(days)],
    );
    await ctx.pool.query(`insert into phone_signals (account_id, phone_id, at, kind) values ($1, $2, $3, 'linked')`, [
      customer.id,
      phoneId,
      daysAgo(days * 4),
    ]);
  }
  await removeOldHealthRows(ctx, { phoneRows: 2 });
  const { rows: sends } = await ctx.pool.query(
    'select message_id::int as id from phone_sends where phone_id = $1 order by 1',
    [phoneId],
  );
  expect(sends).toEqual([{ id: 1 }]);
  const { rows: signals } = await ctx.pool.query('select at from phone_signals where phone_id = $1 order by at', [
    phoneId,
  ]);
  expect(signals).toEqual([{ at: daysAgo(160) }, { at: daysAgo(144) }, { at: daysAgo(80) }]);
});

test('a contact who knows one of several numbers keeps it, unless the project says otherwise', async () => {
  const scene = await makeScene();
  const { ctx, customer, projectId, profileId } = scene;
  // Of higher priority: the rotation would choose it.
  const other = await addPacedPhone(app, scene, { start: noon, number: '442070000002' });
  await ctx.pool.query('update phones set priority = 10 where id = $1', [other.phoneId]);
  await ctx.pool.query(
    'insert into phone_contacts (account_id, phone_id, phone_key, wrote_at) values ($1, $2, phone_key($3), $4)',
    [customer.id, scene.phoneId, '447500900010', noon],
  );
  const scope = { account: { id: customer.id, timezone: 'UTC' }, projectId };
  const phoneFor = async (to: string) => {
    const text = { profileId, to, message: 'Hello', origin: { campaignId: 1 } };
    const [queueing] = await inTransaction(ctx, (tx) => queueMessages(tx, scope, [text]));
    if (queueing?.kind !== 'queued') return queueing?.kind;
    const { rows } = await ctx.pool.query<{ phone_id: number }>(
      'delete from messages where id = $1 returning phone_id',
      [queueing.messageId],
    );
    return rows[0]?.phone_id;
  };
  expect(await phoneFor('447500900010')).toBe(scene.phoneId);
  expect(await phoneFor('447500900011')).toBe(other.phoneId);
  const params = { projectId };
  const { body } = await customer.api.call(updateProject, { params, body: { sticky_sender: false } });
  expect(body.sticky_sender).toBe(false);
  expect(await phoneFor('447500900010')).toBe(other.phoneId);
  await customer.api.call(updateProject, { params, body: { sticky_sender: true } });
  // While its number cannot send, somebody else does.
  await ctx.pool.query('update phone_health set all_stopped_until = $2, facts = facts || $3 where phone_id = $1', [
    scene.phoneId,
    new Date(noon.getTime() + hourMs),
    JSON.stringify({ limit: { until: new Date(noon.getTime() + hourMs), scope: 'all', code: 'known_refused' } }),
  ]);
  expect(await phoneFor('447500900010')).toBe(other.phoneId);
});

test('a number that is found not to be on WhatsApp is remembered until its owner writes', async () => {
  const scene = await makeScene();
  const { ctx, customer, lease, profileId, projectId, clock } = scene;
  const { rows } = await ctx.pool.query<{ phone: string }>('select phone from profiles where id = $1', [profileId]);
  const to = rows[0]?.phone ?? '';
  const onWhatsApp = async () => (await customer.api.call(getProfile, { params: { profileId } })).body.on_whatsapp;
  expect(await onWhatsApp()).toBeNull();
  const scope = { account: { id: customer.id, timezone: 'UTC' }, projectId };
  // Daytime from New York to Honolulu.
  clock.advance(8 * hourMs);
  await inTransaction(ctx, (tx) =>
    queueMessages(tx, scope, [{ profileId, to, message: 'Hello', origin: { campaignId: 1 } }]),
  );
  const { message } = await claimQueued(ctx, { lease, networkId: 'off-1' });
  expect(message).toBeDefined();
  const reason = 'This number is not on WhatsApp';
  await settleMessages(ctx, [
    {
      authority: { kind: 'lease', lease },
      networkId: 'off-1',
      resendIsHarmless: true,
      news: { kind: 'outcome', outcome: { kind: 'refused', code: 'not_on_whatsapp', reason } },
    },
  ]);
  expect(await onWhatsApp()).toBe(false);
  const phone = { accountId: customer.id, projectId, phoneId: scene.phoneId, number: '442070000001' };
  await receiveMessage(ctx, phone, {
    networkId: 'in-1',
    peer: { number: to },
    isFromHandset: false,
    at: clock.now(),
    content: { type: 'text', text: 'I am here' },
  });
  expect(await onWhatsApp()).toBeNull();
});

test.each([
  [2, /WhatsApp may have removed it for what was sent/],
  [30, /^This device was removed\.$/],
])('a device that is removed %i hours after it sent', async (hours, words) => {
  const scene = await makeScene();
  await sendsBefore(scene, 1, 1);
  scene.clock.advance((hours - 2) * hourMs);
  const end = { status: 'auth_failed', reason: 'This device was removed.', isRemoved: true } as const;
  const { error } = await recordLinkEnded(scene.ctx, scene.lease, end);
  expect(error).toMatch(words);
});
