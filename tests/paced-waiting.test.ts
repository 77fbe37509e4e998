import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumeCampaign } from '#contracts/campaigns.ts';
import { createFlow, getFlow } from '#contracts/flows.ts';
import { getMessage, sendMessage } from '#contracts/messages.ts';
import { heldWords, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { getProfile } from '#contracts/profiles.ts';
import { getProject, updateProject } from '#contracts/projects.ts';
import { askAgainForNumbers, loadSenders, momentOf } from '#server/modules/numbers/health/index.ts';
import { wakeCampaigns } from '#server/modules/outreach/campaigns/index.ts';
import { inTransaction } from '#server/context.ts';
import { claimMessages, findPaceHold, settleMessages } from '#server/modules/messaging/messages/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { create, get, holdPhone, makeScene, recipients, until } from './support/campaign-scene.ts';
import type { Scene } from './support/campaign-scene.ts';
import { asOwner } from './support/as-owner.ts';
import { connectSandboxPhone } from './support/customer.ts';
import { createTestClock } from './support/test-clock.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

type Facts = { linkedAt: Date; limit?: { until: Date; scope: 'first' | 'all'; code: string } };

/** A WhatsApp phone that seems connected to another worker, of which `facts` hold. */
async function addPhone({ customer, projectId }: Scene, facts: Facts, hasQuietHours = false): Promise<number> {
  const { db, clock } = app.ctx;
  const phone = await db
    .insertInto('phones')
    .values({
      account_id: customer.id,
      project_id: projectId,
      number: '442070000001',
      connector: 'whatsapp',
      status: 'connected',
      wanted: 'online',
      status_changed_at: clock.now(),
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await holdPhone(app, phone.id);
  const { key } = momentOf(clock.now(), 'UTC').day;
  await db
    .insertInto('phone_health')
    .values({
      account_id: customer.id,
      phone_id: phone.id,
      has_quiet_hours: hasQuietHours,
      facts: JSON.stringify({ rampDay: 1, rampOn: key, idleFrom: clock.now(), ...facts }),
      first_stopped_until: facts.limit?.until ?? null,
      state_since: clock.now(),
    })
    .execute();
  return phone.id;
}

/** As many first contacts as its day allows, an hour ago or longer. */
async function useUpAllowance({ customer }: Scene, phoneId: number): Promise<void> {
  const moment = momentOf(app.ctx.clock.now(), 'UTC');
  await app.ctx.pool.query(
    `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at)
     select $1, $2, -n, '44700000' || n, 'first', $3 from generate_series(1, 10) as n`,
    [customer.id, phoneId, moment.day.startsAt],
  );
  const sender = (await loadSenders(app.ctx, customer.id, [phoneId], moment)).get(phoneId);
  expect(sender?.history.today.first).toBe(10);
}

const longAgo = () => new Date(app.ctx.clock.now().getTime() - 2 * dayMs);

test('a campaign whose allowance is used up says so, and until when', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  await useUpAllowance(own, await addPhone(own, { linkedAt: longAgo() }));
  const campaign = await create(own);
  const waiting = await until(own, campaign, { status: 'running', waiting_for: 'phone_allowance', waiting_count: 3 });
  expect(waiting.waiting_until).toBe(momentOf(app.ctx.clock.now(), 'UTC').day.endsAt.toISOString());
});

test('a step that is rolled back passes nobody by', async () => {
  const own = await makeScene(app, [{}, {}, {}], { hasPhone: false });
  await addPhone(own, { linkedAt: longAgo() });
  await asOwner(
    app,
    `create sequence refused_steps; grant all on sequence refused_steps to public;
     create function refuse_step() returns trigger language plpgsql
       as $$ begin perform nextval('refused_steps'); raise exception 'refused'; end $$;
     create trigger refuse_step before update on campaigns for each row
       when (new.account_id = ${own.customer.id} and new.queued_count > 0) execute function refuse_step()`,
  );
  const campaign = await create(own);
  const isRefused = async () =>
    (await app.ctx.pool.query<{ is_called: boolean }>('select is_called from refused_steps')).rows[0]?.is_called;
  await expect.poll(isRefused).toBe(true);
  await asOwner(app, 'drop trigger refuse_step on campaigns; drop function refuse_step; drop sequence refused_steps');
  const pending = async () => (await recipients(own, campaign, { status: 'pending' })).data.map(({ name }) => name);
  await expect.poll(pending).toEqual(['Person 1']);
});

test('a campaign of a phone that was just linked says so, and goes on as its owner says that the account is older', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const linkedAt = app.ctx.clock.now();
  const phoneId = await addPhone(own, { linkedAt });
  const campaign = await create(own);
  const waiting = await until(own, campaign, { waiting_for: 'phone_linked_recently', waiting_count: 3 });
  expect(waiting.waiting_until).toBe(new Date(linkedAt.getTime() + dayMs).toISOString());
  await app.ctx.pool.query('update phone_health set is_older_account = true where phone_id = $1', [phoneId]);
  await inTransaction(app.ctx, (tx) => wakeCampaigns(tx, own.customer.id));
  await until(own, campaign, { waiting_for: null, waiting_until: null });
});

test('a flow whose phone is limited says so, and until when', async () => {
  const own = await makeScene(app, 3, { hasPhone: false });
  const ends = new Date(app.ctx.clock.now().getTime() + 5 * hourMs);
  await addPhone(own, { linkedAt: longAgo(), limit: { until: ends, scope: 'first', code: 'time_lock' } });
  const body = {
    name: 'Welcome',
    conditions: [{ fieldPath: 'custom_fields.group', operator: 'equals', value: 'all' }],
    action: { type: 'send_message', projectId: own.projectId, message: 'Hi' },
    active: true,
  } as const;
  const { body: flow } = await own.customer.api.call(createFlow, { body });
  const find = async () => (await own.customer.api.call(getFlow, { params: { flowId: flow.id } })).body;
  await expect
    .poll(find)
    .toMatchObject({ waiting_for: 'phone_limited', waiting_until: ends.toISOString(), counts: { waiting: 3 } });
});

test.each<[string, { at: string; quiet?: boolean; absent?: boolean; gapMs?: number }, object | null]>([
  ['at night', { at: '2026-06-10T03:00:00Z', quiet: true, absent: true }, { why: 'night' }],
  ['at night, while somebody may still be found', { at: '2026-06-10T03:00:00Z', quiet: true }, null],
  ['in the pause after a message', { at: '2026-06-10T18:00:00Z', gapMs: 90_000 }, null],
  ['with nothing in the way', { at: '2026-06-10T18:00:00Z', absent: true }, null],
])(
  'the reason that holds first contacts back %s',
  async (_, { at, quiet = false, absent = false, gapMs }, expected) => {
    const own = await makeScene(app, 0, { hasPhone: false });
    const now = new Date(at);
    const phoneId = await addPhone(own, { linkedAt: new Date(now.getTime() - 2 * dayMs) }, quiet);
    if (gapMs !== undefined) {
      await app.ctx.pool.query(
        `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, first_gap_ms, gap_ms)
       values ($1, $2, -1, '447000001', 'first', $3, $4, $4)`,
        [own.customer.id, phoneId, now, gapMs],
      );
    }
    const hold = await findPaceHold(
      { ...app.ctx, clock: createTestClock(now) },
      { account: { id: own.customer.id, timezone: 'UTC' }, projectId: own.projectId },
      { numbers: ['14155551002', '14155551003'], absent: { first: absent, known: true } },
    );
    expect(hold && { why: hold.why }).toEqual(expected);
  },
);

test('a recipient found not to be on WhatsApp is skipped, says so, and is tried again after 30 days', async () => {
  const own = await makeScene(app, 3);
  const { pool } = app.ctx;
  const { rows } = await pool.query<{ id: number; phone: string }>(
    'select id, phone from profiles where account_id = $1 order by id',
    [own.customer.id],
  );
  const [missing] = rows;
  await pool.query(
    `insert into numbers_off_whatsapp (account_id, phone_key, found_at) values ($1, phone_key($2), now() - interval '29 days')`,
    [own.customer.id, missing?.phone],
  );
  const params = { profileId: missing?.id ?? 0 };
  const profileOf = async () => (await own.customer.api.call(getProfile, { params })).body;
  expect(await profileOf()).toMatchObject({ on_whatsapp: false, on_whatsapp_checked_at: expect.any(String) });
  const campaign = await create(own);
  await until(own, campaign, { status: 'completed', sent_count: 2, skipped_count: 1 });
  const { data } = await recipients(own, campaign, { status: 'skipped' });
  expect(data).toMatchObject([{ profile_id: missing?.id, error: expect.stringMatching(/not to be on WhatsApp/) }]);
  await askAgainForNumbers(app.ctx);
  expect(await profileOf()).toMatchObject({ on_whatsapp: false });
  await askAgainForNumbers({ ...app.ctx, clock: createTestClock(new Date(app.ctx.clock.now().getTime() + 2 * dayMs)) });
  expect(await profileOf()).toMatchObject({ on_whatsapp: null, on_whatsapp_checked_at: null });
});

/** So many numbers of the first hundred and twenty do not exist: they end in 0000. */
async function spoilList({ customer }: Scene, count: number): Promise<void> {
  await app.ctx.pool.query(
    `update profiles p set phone = '1' || (212 + n) || '5550000'
       from (select id, row_number() over (order by id) as n from profiles where account_id = $1) x
      where p.account_id = $1 and p.id = x.id and n <= 120 and n % (120 / $2::int) = 0`,
    [customer.id, count],
  );
}

let lastId = 0;

/** Plays the phone's worker for a moment: the network takes what it is given, but for numbers that do not exist. */
async function sendSome({ customer }: Scene, phoneId: number): Promise<void> {
  const { rows } = await app.ctx.pool.query<{ token: number }>('select token from phone_leases where phone_id = $1', [
    phoneId,
  ]);
  const lease = { accountId: customer.id, phoneId, token: rows[0]?.token ?? 0 };
  const networkIds = Array.from({ length: 20 }, () => `PLAYED${(lastId += 1)}`);
  const claimed = await claimMessages(app.ctx, [{ lease, networkIds }]);
  const missing = { kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' } as const;
  await settleMessages(
    app.ctx,
    claimed.map(({ networkId, to }) => ({
      authority: { kind: 'lease', lease },
      networkId,
      resendIsHarmless: true,
      news: { kind: 'outcome', outcome: to.endsWith('0000') ? missing : { kind: 'accepted', at: app.ctx.clock.now() } },
    })),
  );
}

test('a campaign whose list is bad pauses and says so; resumed, it goes on until it shows again', async () => {
  const own = await makeScene(app, 400, { hasPhone: false });
  const { id: phoneId } = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phoneId);
  await spoilList(own, 30);
  const campaign = await create(own);
  const play = async () => {
    await sendSome(own, phoneId);
    return get(own, campaign);
  };
  await expect.poll(play).toMatchObject({ status: 'paused' });
  const paused = await get(own, campaign);
  expect(paused.error).toMatch(/^The list is bad: \d+ of the last \d+ numbers are not on WhatsApp/);
  expect(paused.waiting_count).toBeGreaterThan(0);
  await own.customer.api.call(resumeCampaign, { params: { campaignId: campaign.id } });
  await expect.poll(async () => (await play()).sent_count).toBeGreaterThan(paused.sent_count);
});

test('a tenth of a list may be wrong', async () => {
  const own = await makeScene(app, 130, { hasPhone: false });
  const { id: phoneId } = await connectSandboxPhone(own.customer, own.projectId);
  await holdPhone(app, phoneId);
  await spoilList(own, 6);
  const campaign = await create(own);
  const play = async () => {
    await sendSome(own, phoneId);
    return get(own, campaign);
  };
  const done = { status: 'completed', sent_count: 124, failed_count: 6, error: null };
  await expect.poll(play).toMatchObject(done);
});

test('a limited phone beside a sandbox that has stepped back is what the campaign waits for', async () => {
  const own = await makeScene(app, 3);
  const ends = new Date(app.ctx.clock.now().getTime() + 5 * hourMs);
  await addPhone(own, { linkedAt: longAgo(), limit: { until: ends, scope: 'first', code: 'time_lock' } });
  await app.ctx.pool.query('update projects set real_phone_since = now() where id = $1', [own.projectId]);
  const campaign = await create(own);
  await until(own, campaign, { waiting_for: 'phone_limited', waiting_until: ends.toISOString(), waiting_count: 3 });
});

test('a sandbox that plays a limit holds a campaign back as a real one does', async () => {
  const own = await makeScene(
    app,
    ['14155550005', '14155551301', '14155551302'].map((phone) => ({ phone, name: phone })),
  );
  const campaign = await create(own);
  await until(own, campaign, { status: 'paused' });
  await own.customer.api.call(resumeCampaign, { params: { campaignId: campaign.id } });
  const waiting = await until(own, campaign, { waiting_for: 'phone_limited' });
  expect(Date.parse(waiting.waiting_until ?? '')).toBeGreaterThan(app.ctx.clock.now().getTime());
  const { body: phones } = await own.customer.api.call(listPhoneNumbers, { params: { projectId: own.projectId } });
  expect(phones.data).toMatchObject([{ is_connected: true, waiting_for: 'phone_limited', status_message: heldWords }]);
});

test('phones that are switched off, and a sandbox that has stepped back, are named', async () => {
  const own = await makeScene(app, 1);
  await app.ctx.pool.query('update phones set is_active = false where project_id = $1', [own.projectId]);
  const campaign = await create(own);
  await until(own, campaign, { waiting_for: 'phones_inactive', waiting_until: null });
  await app.ctx.pool.query('update phones set is_active = true where project_id = $1', [own.projectId]);
  await app.ctx.pool.query('update projects set real_phone_since = now() where id = $1', [own.projectId]);
  await until(own, campaign, { waiting_for: 'sandbox_resting', waiting_until: null });
});

test('a campaign that under 3 % of 50 strangers answer within a day pauses for a decision, and goes on once resumed', async () => {
  const own = await makeScene(app, 60, { hasPhone: false });
  const phoneId = await addPhone(own, { linkedAt: longAgo() });
  const campaign = await create(own);
  await until(own, campaign, { status: 'running', total_count: 60 });
  const { pool } = app.ctx;
  await pool.query(
    `with sent as (
       insert into messages (account_id, project_id, id, phone_id, direction, recipient, sender, body, status, campaign_id, created_at)
       select $1, $2, next_record_id(), $3, 'outgoing', '4475009' || (20000 + n), '442070000001', 'Hi', 'sent', $4, now()
         from generate_series(1, 60) as n returning id, recipient, case when recipient <= '447500920050' then 25 else 2 end as hours_ago)
     insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at, answered_at)
     select $1, $3, id, recipient, 'first', now() - hours_ago * interval '1 hour', now() - hours_ago * interval '1 hour',
            case when recipient <= '447500920002' then now() end from sent`,
    [own.customer.id, own.projectId, phoneId, campaign.id],
  );
  await pool.query(
    `update campaigns set sent_count = 60, total_count = total_count + 60, started_at = now() - interval '26 hours' where id = $1`,
    [campaign.id],
  );
  await inTransaction(app.ctx, (tx) => wakeCampaigns(tx, own.customer.id));
  const judgedAt = async () =>
    (await pool.query('select answers_asked_at as at from campaigns where id = $1', [campaign.id])).rows[0].at;
  await expect.poll(judgedAt).not.toBeNull();
  await until(own, campaign, { status: 'running', error: null });
  await pool.query('update phone_sends set answered_at = null where phone_id = $1', [phoneId]);
  await pool.query('update campaigns set answers_asked_at = null where id = $1', [campaign.id]);
  await inTransaction(app.ctx, (tx) => wakeCampaigns(tx, own.customer.id));
  const paused = await until(own, campaign, { status: 'paused' });
  expect(paused.error).toMatch(/^Only 0 of the last 50 people who had never written to you answered/);
  await own.customer.api.call(resumeCampaign, { params: { campaignId: campaign.id } });
  await pool.query('update campaigns set answers_asked_at = null where id = $1', [campaign.id]);
  await inTransaction(app.ctx, (tx) => wakeCampaigns(tx, own.customer.id));
  await until(own, campaign, { status: 'running', error: null });
});

test('beyond the first contacts of the day a project sends, queues or refuses direct messages to strangers', async () => {
  const own = await makeScene(app, 0, { hasPhone: false });
  const { api } = own.customer;
  const params = { projectId: own.projectId };
  await useUpAllowance(own, await addPhone(own, { linkedAt: longAgo() }));
  const { body: project } = await api.call(getProject, { params });
  expect(project.direct_first_contacts).toBe('send');
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key ?? '' });
  const headers = { prefer: 'respond-async' };
  const body = { to: '442071838750', message: 'Hello' };
  const hasPhone = async (id: number) =>
    (await byKey.call(getMessage, { params: { messageId: id } })).body.phone_id !== null;
  const direct = await byKey.call(sendMessage, { headers, body });
  expect([direct.status, await hasPhone(direct.body.id)]).toEqual([202, true]);
  await api.call(updateProject, { params, body: { direct_first_contacts: 'queue' } });
  const keyed = { 'idempotency-key': 'once' };
  const queued = await byKey.call(sendMessage, { headers: keyed, body });
  expect([queued.status, queued.body.status, await hasPhone(queued.body.id)]).toEqual([202, 'pending', false]);
  await api.call(updateProject, { params, body: { direct_first_contacts: 'refuse' } });
  const refused = await byKey.refuse(sendMessage, { headers: {}, body });
  expect([refused.status, refused.body.code]).toEqual([409, 'phones_limited']);
  expect((await byKey.call(sendMessage, { headers: keyed, body })).body.id).toBe(queued.body.id);
  await app.ctx.pool.query(
    `insert into phone_contacts (account_id, phone_id, phone_key, wrote_at)
     select account_id, id, phone_key($2), now() from phones where account_id = $1`,
    [own.customer.id, '442071838751'],
  );
  const toKnown = await byKey.call(sendMessage, { headers, body: { ...body, to: '442071838751' } });
  expect(toKnown.status).toBe(202);
});
