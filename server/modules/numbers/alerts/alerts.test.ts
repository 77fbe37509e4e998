import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dismissAlert, getAlertSettings, listAlerts, updateAlertSettings } from '#contracts/alerts.ts';
import type { AlertKind } from '#contracts/alerts.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { inTransaction } from '#server/context.ts';
import { createMailer } from '#server/connectors/mail/create-mailer.ts';
import { assessPhones } from '#server/modules/numbers/health/index.ts';
import { followStates, raiseAlerts, removeOldAlerts } from './index.ts';
import { patience } from '#tests/support/patience.ts';
import { sendDueAlerts } from './mailing/send-due-alerts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
let app: TestApplication;
const clock = createTestClock();

beforeAll(async () => {
  smtp = await startSmtpStandIn();
  app = await startTestApplication({ clock, env: { SMTP_URL: smtp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function owner() {
  const customer = await signUpSubscriber(app.url);
  await app.ctx.db
    .updateTable('accounts')
    .set({ email_unconfirmed_since: null })
    .where('id', '=', customer.id)
    .execute();
  const project = await makeProject(customer);
  return { ...customer, project };
}

async function ownerWithPhone() {
  const customer = await owner();
  return { ...customer, phone: await connectSandboxPhone(customer, customer.project.id, { name: 'Shop line' }) };
}

type OwnerWithPhone = Awaited<ReturnType<typeof ownerWithPhone>>;

/** Writes the status that the worker which holds the phone would write. */
async function setPhone({ id, phone }: OwnerWithPhone, status: 'connected' | 'disconnected' | 'banned'): Promise<void> {
  await app.ctx.db
    .updateTable('phones')
    .set({ status, status_changed_at: clock.now() })
    .where('account_id', '=', id)
    .where('id', '=', phone.id)
    .execute();
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await followStates(app.ctx);
}

const subjectsTo = ({ email }: Customer) =>
  smtp.mails
    .filter(({ to }) => to === email)
    .map((mail) => mail.email.subject)
    .filter((subject) => subject !== 'Confirm your email address');

const mailed = (customer: Customer, subjects: string[]) =>
  vi.waitFor(() => expect(subjectsTo(customer)).toEqual(subjects), patience);

/** Nothing is owed any more: what was to be mailed has been. */
const settled = (customer: Customer) =>
  vi.waitFor(async () => {
    const owed = app.ctx.db
      .selectFrom('alerts')
      .select('id')
      .where('account_id', '=', customer.id)
      .where('next_attempt_at', '<=', clock.now());
    expect(await owed.execute()).toEqual([]);
  }, patience);

async function openKinds({ api }: Customer): Promise<AlertKind[]> {
  return (await api.call(listAlerts, { query: {} })).body.data.map(({ kind }) => kind);
}

test('a phone that lost its link is announced once, and once that it is back', async () => {
  const customer = await ownerWithPhone();
  await setPhone(customer, 'disconnected');
  await pass(0);
  expect(await openKinds(customer)).toEqual([]);
  await pass(11 * minuteMs);
  await mailed(customer, ['Shop line has lost its link']);
  const mail = smtp.mails.find(({ email }) => email.subject === 'Shop line has lost its link');
  expect(mail?.email.text).toMatch(/\/settings\/notifications\s+has a\s+switch/);
  expect(await openKinds(customer)).toEqual(['phone_lost']);
  // Still the same occasion, however often it is looked at.
  await pass(hourMs);
  await settled(customer);
  await setPhone(customer, 'connected');
  await pass(minuteMs);
  expect(await openKinds(customer)).toEqual([]);
  await pass(6 * minuteMs);
  await mailed(customer, ['Shop line has lost its link', 'Shop line is connected again']);
  const { data } = (await customer.api.call(listAlerts, { query: { status: 'ended' } })).body;
  expect(data).toMatchObject([{ kind: 'phone_lost', title: 'Shop line is connected again' }]);
});

test('a line that comes back within minutes is not announced, and one that comes and goes is one occasion', async () => {
  const customer = await ownerWithPhone();
  await setPhone(customer, 'disconnected');
  await pass(minuteMs);
  await setPhone(customer, 'connected');
  await pass(20 * minuteMs);
  await setPhone(customer, 'disconnected');
  await pass(11 * minuteMs);
  await pass(minuteMs);
  await mailed(customer, ['Shop line has lost its link']);
  await setPhone(customer, 'connected');
  await pass(minuteMs);
  await setPhone(customer, 'disconnected');
  await pass(hourMs);
  await settled(customer);
  expect(subjectsTo(customer)).toEqual(['Shop line has lost its link']);
  expect(await openKinds(customer)).toEqual(['phone_lost']);
});

test('acts of the owner raise no alert: a phone signed out, deleted or out of the rotation', async () => {
  const customer = await ownerWithPhone();
  await setPhone(customer, 'banned');
  await pass(0);
  await mailed(customer, ['Shop line was banned by WhatsApp']);
  await app.ctx.db.updateTable('phones').set({ is_active: false }).where('id', '=', customer.phone.id).execute();
  await pass(hourMs);
  await pass(hourMs);
  await settled(customer);
  expect(subjectsTo(customer)).toEqual(['Shop line was banned by WhatsApp']);
  expect(await openKinds(customer)).toEqual([]);
});

test('a daily maximum that is reached says until when', async () => {
  const customer = await ownerWithPhone();
  await app.ctx.db
    .updateTable('phones')
    .set({ daily_count: 5, max_daily_messages: 5, count_ends_at: new Date(clock.now().getTime() + hourMs) })
    .where('id', '=', customer.phone.id)
    .execute();
  await pass(minuteMs);
  await mailed(customer, ['Shop line has reached its daily maximum']);
  await pass(2 * hourMs);
  expect(await openKinds(customer)).toEqual([]);
  await settled(customer);
  expect(subjectsTo(customer)).toHaveLength(1);
});

test('a daily maximum is announced once a day, whatever comes and goes meanwhile; a higher one is another', async () => {
  const customer = await ownerWithPhone();
  const set = (values: { daily_count?: number; max_daily_messages?: number; count_ends_at?: Date }) =>
    app.ctx.db.updateTable('phones').set(values).where('id', '=', customer.phone.id).execute();
  const reached = 'Shop line has reached its daily maximum';
  await set({ daily_count: 5, max_daily_messages: 5, count_ends_at: new Date(clock.now().getTime() + 3 * hourMs) });
  await pass(minuteMs);
  await mailed(customer, [reached]);
  for (let n = 0; n < 2; n += 1) {
    await setPhone(customer, 'disconnected');
    await pass(2 * minuteMs);
    await setPhone(customer, 'connected');
    await pass(2 * minuteMs);
    // A message that never reached the network gives its count back.
    await set({ daily_count: 4 });
    await pass(2 * minuteMs);
    await set({ daily_count: 5 });
    await pass(2 * minuteMs);
  }
  await settled(customer);
  expect(await openKinds(customer)).toEqual(['daily_limit_reached']);
  expect(subjectsTo(customer)).toEqual([reached]);
  await set({ max_daily_messages: 6 });
  await pass(minuteMs);
  expect(await openKinds(customer)).toEqual([]);
  await set({ daily_count: 6 });
  await pass(minuteMs);
  await mailed(customer, [reached, reached]);
});

test('a webhook that fails for an hour is announced, and that it works again', async () => {
  const customer = await owner();
  const setFailing = (failing_since: Date | null, url = 'https://example.com/hook') =>
    app.ctx.db
      .updateTable('webhook_endpoints')
      .set({ failing_since, url })
      .where('project_id', '=', customer.project.id)
      .execute();
  await setFailing(clock.now());
  await pass(50 * minuteMs);
  expect(await openKinds(customer)).toEqual([]);
  await pass(11 * minuteMs);
  await mailed(customer, ['The webhook of Shop has failed for an hour']);
  await setFailing(null);
  await pass(minuteMs);
  await pass(6 * minuteMs);
  await mailed(customer, ['The webhook of Shop has failed for an hour', 'The webhook of Shop works again']);
});

test('a phone that WhatsApp limits is announced with the reason, and when it is over', async () => {
  const customer = await ownerWithPhone();
  await app.ctx.db
    .insertInto('phone_health')
    .values({
      account_id: customer.id,
      phone_id: customer.phone.id,
      facts: '{}',
      state: 'limited',
      code: 'refused_twice',
      until: new Date(clock.now().getTime() + 24 * hourMs),
      state_since: clock.now(),
    })
    .execute();
  await pass(minuteMs);
  await mailed(customer, ['Shop line is limited by WhatsApp']);
  const [alert] = (await customer.api.call(listAlerts, { query: {} })).body.data;
  expect(alert?.text).toMatch(/^WhatsApp refused two new chats within a day.* Until .*\(UTC\)\.$/);
  await pass(25 * hourMs);
  await pass(6 * minuteMs);
  await mailed(customer, ['Shop line is limited by WhatsApp', 'Shop line is no longer limited']);
});

test('first contacts by direct messages are announced at 80 % and at all of a day, once each', async () => {
  const customer = await ownerWithPhone();
  const { phone } = customer;
  await app.ctx.db
    .insertInto('phone_health')
    .values({
      account_id: customer.id,
      phone_id: phone.id,
      facts: JSON.stringify({ linkedAt: new Date(clock.now().getTime() - 240 * hourMs), rampDay: 1 }),
      state_since: clock.now(),
    })
    .execute();
  const writeTo = async (people: readonly number[], gapMs: number) => {
    await app.ctx.pool.query(
      `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at, gap_ms)
       select $1, $2, p, '44750091' || p, 'first', $4, $4, $5 from unnest($3::int[]) as p`,
      [customer.id, phone.id, people, clock.now(), gapMs],
    );
    await assessPhones(app.ctx);
  };
  const shown = async () => (await customer.api.call(listAlerts, { query: {} })).body.data;
  // Queued messages keep to the allowance by themselves.
  await writeTo([1, 2, 3, 4, 5, 6, 7], 5_000);
  await writeTo([8], 5_000);
  expect(await shown()).toEqual([]);
  await writeTo([9], 0);
  expect(await shown()).toMatchObject([
    { kind: 'first_contacts_low', subject_id: phone.id, title: 'Shop line has used 9 of its 10 first contacts today' },
  ]);
  await mailed(customer, ['Shop line has used 9 of its 10 first contacts today']);
  await writeTo([10], 0);
  await writeTo([11], 0);
  const [used, ...others] = await shown();
  expect(others).toEqual([]);
  expect(used).toMatchObject({ kind: 'first_contacts_used', title: 'Shop line has used its first contacts of today' });
  expect(used?.text).toMatch(/^It wrote to 11 new people, of 10\. Direct messages to further people still go out/);
  const both = [
    'Shop line has used 9 of its 10 first contacts today',
    'Shop line has used its first contacts of today',
  ];
  await mailed(customer, both);
  // The last release lists what is due, and mails what it finds a next attempt of.
  const { rows } = await app.ctx.pool.query(
    `select from alerts where account_id = $1 and (due_at <= now() or told_at is not null or next_attempt_at is not null)`,
    [customer.id],
  );
  expect(rows).toEqual([]);
  await pass(25 * hourMs);
  expect(await shown()).toEqual([]);
  // Listed for 30 days after their end, as all others are.
  clock.advance(27 * 24 * hourMs);
  await removeOldAlerts(app.ctx);
  const ended = (await customer.api.call(listAlerts, { query: { status: 'ended' } })).body.data;
  expect(ended.map(({ kind }) => kind).toSorted()).toEqual(['first_contacts_low', 'first_contacts_used']);
  expect(subjectsTo(customer)).toEqual(both);
  clock.advance(4 * 24 * hourMs);
  await removeOldAlerts(app.ctx);
  const left = app.ctx.db.selectFrom('alerts').select('kind').where('account_id', '=', customer.id);
  expect(await left.execute()).toEqual([]);
});

const importDone = (accountId: number, subjectId: number) => ({
  kind: 'import_done' as const,
  accountId,
  projectId: null,
  subjectId,
  facts: {
    file: 'people.csv',
    status: 'completed' as const,
    counts: { new: 1200, updated: 3, skipped: 0, invalid: 2 },
    error: null,
  },
  beganAt: clock.now(),
  dueAt: new Date(clock.now().getTime() + 2 * minuteMs),
});

test('an event is listed at once, and mailed unless somebody has seen it', async () => {
  const customer = await owner();
  await inTransaction(app.ctx, (tx) => raiseAlerts(tx, [importDone(customer.id, 1), importDone(customer.id, 2)]));
  const { data } = (await customer.api.call(listAlerts, { query: {} })).body;
  expect(data.map(({ title }) => title)).toEqual(['people.csv is imported', 'people.csv is imported']);
  expect(data[0]?.text).toBe('1,200 new, 3 updated, 0 unchanged, 2 that could not be read.');
  const seen = data.find(({ subject_id }) => subject_id === 1);
  await customer.api.call(dismissAlert, { params: { alertId: seen?.id ?? 0 } });
  await pass(3 * minuteMs);
  await mailed(customer, ['people.csv is imported']);
  expect(await openKinds(customer)).toEqual(['import_done']);
  await pass(8 * 24 * hourMs);
  expect(await openKinds(customer)).toEqual([]);
});

test('an owner whose address the mail server refuses keeps nobody else from the mail', async () => {
  const customer = await owner();
  const [second, third] = [await signUp(app.url), await signUp(app.url)];
  for (const person of [second, third]) {
    await joinAccount(app, customer, person, 'owner');
    const { db } = app.ctx;
    await db.updateTable('accounts').set({ email_unconfirmed_since: null }).where('id', '=', person.id).execute();
  }
  smtp.refuse(customer.email);
  await inTransaction(app.ctx, (tx) => raiseAlerts(tx, [importDone(customer.id, 1)]));
  await pass(3 * minuteMs);
  await mailed(second, ['people.csv is imported']);
  await mailed(third, ['people.csv is imported']);
  await pass(hourMs);
  await settled(customer);
  expect([customer, second, third].map((person) => subjectsTo(person).length)).toEqual([0, 1, 1]);
});

test('alerts due together go in one mail', async () => {
  const customer = await owner();
  await inTransaction(app.ctx, (tx) =>
    raiseAlerts(tx, [importDone(customer.id, 1), importDone(customer.id, 2), importDone(customer.id, 3)]),
  );
  await pass(3 * minuteMs);
  await mailed(customer, ['people.csv is imported, and 2 more']);
});

test('a kind that is switched off is not mailed; others are, and an address that nobody has confirmed gets nothing', async () => {
  const customer = await owner();
  const before = (await customer.api.call(getAlertSettings)).body;
  expect(before.import_done).toEqual({ mail: true, dashboard: true });
  await customer.api.call(updateAlertSettings, { body: { import_done: { mail: false } } });
  const { body } = await customer.api.call(updateAlertSettings, { body: { import_done: { dashboard: false } } });
  expect(body).toEqual({ ...before, import_done: { mail: false, dashboard: false } });
  expect((await customer.api.call(listAlerts, { query: {} })).body.hidden_kinds).toEqual(['import_done']);
  const failed = {
    kind: 'campaign_failed' as const,
    accountId: customer.id,
    projectId: customer.project.id,
    subjectId: 1,
    facts: { campaign: 'Spring', error: 'The segment was deleted' },
    beganAt: clock.now(),
  };
  await inTransaction(app.ctx, (tx) => raiseAlerts(tx, [importDone(customer.id, 1), failed]));
  await pass(3 * minuteMs);
  await mailed(customer, ['“Spring” failed']);
  await app.ctx.db
    .updateTable('accounts')
    .set({ email_unconfirmed_since: clock.now() })
    .where('id', '=', customer.id)
    .execute();
  await inTransaction(app.ctx, (tx) => raiseAlerts(tx, [{ ...failed, subjectId: 2 }]));
  await pass(minuteMs);
  await settled(customer);
  expect(subjectsTo(customer)).toEqual(['“Spring” failed']);
});

test('an alert whose mail is switched off is listed for 30 days after its end, and a short outage never', async () => {
  const customer = await ownerWithPhone();
  await customer.api.call(updateAlertSettings, { body: { phone_lost: { mail: false }, import_done: { mail: false } } });
  await inTransaction(app.ctx, (tx) => raiseAlerts(tx, [importDone(customer.id, 1)]));
  const [done] = (await customer.api.call(listAlerts, { query: {} })).body.data;
  await customer.api.call(dismissAlert, { params: { alertId: done?.id ?? 0 } });
  for (const minutes of [2, 15]) {
    await setPhone(customer, 'disconnected');
    await pass(minutes * minuteMs);
    await setPhone(customer, 'connected');
    await pass(6 * minuteMs);
  }
  clock.advance(2 * 24 * hourMs);
  await removeOldAlerts(app.ctx);
  const { data } = (await customer.api.call(listAlerts, { query: { status: 'ended' } })).body;
  expect(data.map(({ kind }) => kind)).toEqual(['phone_lost', 'import_done']);
  expect(subjectsTo(customer)).toEqual([]);
});

test('a mail server that is away is tried again, and the mail then goes out once', async () => {
  const customer = await owner();
  const { ctx } = app;
  // Nobody listens there.
  const mailer = createMailer({ dataDir: '', mail: { ...ctx.config.mail, smtpUrl: 'smtp://127.0.0.1:9' } });
  // Raised without a notification: the application's own mailer does not know yet.
  await ctx.db
    .insertInto('alerts')
    .values({
      account_id: customer.id,
      kind: 'import_done',
      subject_id: 1,
      facts: JSON.stringify(importDone(customer.id, 1).facts),
      began_at: clock.now(),
      due_at: clock.now(),
      next_attempt_at: clock.now(),
    })
    .execute();
  await sendDueAlerts({ ...ctx, mailer }, () => false);
  expect(subjectsTo(customer)).toEqual([]);
  await pass(2 * minuteMs);
  await mailed(customer, ['people.csv is imported']);
  await pass(hourMs);
  await settled(customer);
  expect(subjectsTo(customer)).toHaveLength(1);
});
