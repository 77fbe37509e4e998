import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { getMessage, listDailyCounts, receiveSandboxMessage } from '#contracts/messages.ts';
import type { DayCounts, Message } from '#contracts/messages.ts';
import { deletePhoneNumber, disconnectPhone } from '#contracts/phone-numbers.ts';
import { deleteProject } from '#contracts/projects.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import type { TestClock } from '#tests/support/test-clock.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { removeOldCounts } from './remove-old-counts.ts';

const hourMs = 60 * 60_000;
let app: TestApplication;
let clock: TestClock;
let database: TestDatabase;

beforeAll(async () => {
  clock = createTestClock(new Date('2026-10-31T12:00:00Z'));
  database = await createTestDatabase();
  app = await startTestApplication({ connectionString: database.applicationConnectionString, clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.drop();
});

async function sender(timezone?: string) {
  const customer = await signUpSubscriber(app.url, timezone);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  const inPhone = { params: { phoneId: phone.id } };
  return {
    ...customer,
    project,
    phone,
    inPhone,
    async send(to: string, headers: Record<string, string> = {}): Promise<number> {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
        body: JSON.stringify({ to, message: 'Hello' }),
      });
      return ((await response.json()) as Message).id;
    },
    receive: () =>
      customer.api.call(receiveSandboxMessage, { ...inPhone, body: { from: '14155550123', message: 'Hi' } }),
  };
}

type Sender = Awaited<ReturnType<typeof sender>>;

const countsOf = async ({ api }: Customer, days?: number) =>
  (await api.call(listDailyCounts, { query: days === undefined ? {} : { days } })).body;
const lastDayOf = async (customer: Customer) => (await countsOf(customer, 1)).data[0];
const settled = (customer: Customer, expected: Partial<DayCounts>) =>
  expect.poll(() => lastDayOf(customer)).toMatchObject(expected);

/** Goes on to a moment; clocks of tests only go forward. */
const goTo = (iso: string) => clock.advance(Date.parse(iso) - clock.now().getTime());

/** As reading every message would count them. */
async function recount({ id }: Customer): Promise<unknown> {
  const { rows } = await sql`
    select count(sent_at) filter (where direction = 'outgoing') as sent,
           count(delivered_at) filter (where direction = 'outgoing') as delivered,
           count(*) filter (where status = 'failed') as failed,
           count(*) filter (where direction = 'incoming') as received
      from messages where account_id = ${id}
  `.execute(app.ctx.db);
  return rows[0];
}

/** A message that its phone sends once it is told of another. */
async function addWaiting({ id, project, phone }: Sender): Promise<void> {
  await sql`
    insert into messages (account_id, project_id, phone_id, direction, recipient, sender, body, status, created_at)
    values (${id}, ${project.id}, ${phone.id}, 'outgoing', '14155550123', ${phone.phone_number}, 'Hi', 'pending', ${clock.now()})
  `.execute(app.ctx.db);
}

async function allCounts(): Promise<unknown[]> {
  const { rows } = await sql`
    select * from message_counts where sent + delivered + failed + received > 0
     order by account_id, quarter_hour, project_id, phone_id, direction
  `.execute(app.ctx.db);
  return rows;
}

describe('the days of an account', () => {
  test('a new account has days without messages, today last', async () => {
    const customer = await signUpSubscriber(app.url);
    const { data, timezone } = await countsOf(customer);
    expect(timezone).toBe('UTC');
    expect(data).toHaveLength(14);
    expect([data[0]?.date, data.at(-1)?.date]).toEqual(['2026-10-18', '2026-10-31']);
    expect(data.every(({ sent, delivered, failed, received }) => sent + delivered + failed + received === 0)).toBe(
      true,
    );
  });

  test('every message counts by what has become of it, and nobody else’s does', async () => {
    const from = await sender();
    const other = await sender();
    await from.send('14155550123');
    await from.send('14155550001');
    await from.send('14155550000');
    await from.receive();
    await other.send('14155550123');
    await settled(from, { sent: 2, delivered: 1, failed: 1, received: 1 });
    await settled(other, { sent: 1, delivered: 1, failed: 0, received: 0 });
    expect(await lastDayOf(from)).toMatchObject((await recount(from)) as object);
  });

  test('many at once are counted to the last one', async () => {
    const from = await sender();
    const numbers = Array.from({ length: 60 }, (_, index) => `1415555${String(index * 7 + 100).padStart(4, '0')}`);
    await Promise.all(numbers.map((to) => from.send(to)));
    await Promise.all(numbers.slice(0, 20).map(() => from.receive()));
    await settled(from, { sent: 60, delivered: 60, failed: 0, received: 20 });
  });

  test('a waiting message is counted nowhere, and fails with its phone', async () => {
    const from = await sender();
    await from.api.call(disconnectPhone, from.inPhone);
    await addWaiting(from);
    expect(await lastDayOf(from)).toMatchObject({ sent: 0, failed: 0 });
    await from.api.call(deletePhoneNumber, from.inPhone);
    expect(await lastDayOf(from)).toMatchObject({ sent: 0, failed: 1 });
  });

  test('a project takes its counts with it', async () => {
    const from = await sender();
    await from.send('14155550123');
    await settled(from, { delivered: 1 });
    await from.api.call(deleteProject, { params: { projectId: from.project.id } });
    expect(await lastDayOf(from)).toMatchObject({ sent: 0, delivered: 0 });
  });

  test.each(['0', '91', '-1', '1.5', 'x', ''])('days=%s is a 422', async (days) => {
    const { token } = await signUpSubscriber(app.url);
    const response = await fetch(`${app.url}/api/messages/daily-counts?days=${days}`, {
      headers: { authorization: token },
    });
    expect(response.status).toBe(422);
  });
});

describe('the days of a time zone', () => {
  test('begin and end at its midnight, on the day of 25 hours too', async () => {
    const from = await sender('America/New_York');
    const delivery = async (at: string) => {
      goTo(at);
      const id = await from.send('14155550123');
      await expect
        .poll(async () => (await from.api.call(getMessage, { params: { messageId: id } })).body.status)
        .toBe('read');
    };
    await delivery('2026-11-01T03:59:00Z');
    await delivery('2026-11-01T04:00:00Z');
    await delivery('2026-11-02T04:59:00Z');
    await delivery('2026-11-02T05:00:00Z');
    const { data, timezone } = await countsOf(from, 3);
    expect(timezone).toBe('America/New_York');
    expect(data.map(({ date, delivered }) => [date, delivered])).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 2],
      ['2026-11-02', 1],
    ]);
  });

  test('an account that moves sees its messages on the days of its new place', async () => {
    goTo('2026-11-03T20:05:00Z');
    const from = await sender('UTC');
    await from.send('14155550123');
    await settled(from, { date: '2026-11-03', delivered: 1 });
    await from.api.call(updateCurrentUser, { body: { timezone: 'Asia/Kolkata' } });
    expect(await lastDayOf(from)).toMatchObject({ date: '2026-11-04', delivered: 1 });
  });

  test('a message counts on the day of its creation, whenever it is sent', async () => {
    goTo('2026-11-04T23:50:00Z');
    const from = await sender('UTC');
    await addWaiting(from);
    clock.advance(hourMs);
    await from.send('14155550123');
    await settled(from, { date: '2026-11-05', sent: 1 });
    await expect
      .poll(async () => (await countsOf(from, 2)).data)
      .toMatchObject([
        { date: '2026-11-04', delivered: 1 },
        { date: '2026-11-05', delivered: 1 },
      ]);
  });
});

test('an upgrade counts the messages that are there', async () => {
  const from = await sender();
  for (const to of ['14155550123', '14155550001', '14155550000']) await from.send(to);
  await from.receive();
  await settled(from, { sent: 2, delivered: 1, failed: 1, received: 1 });
  const before = await allCounts();
  await sql`drop table message_counts`.execute(database.db);
  await migrations['0005-message-counts']?.up(database.db);
  expect(await allCounts()).toEqual(before);
});

test('counts of a hundred days ago are forgotten, younger ones kept', async () => {
  const from: Sender = await sender();
  await from.send('14155550123');
  await settled(from, { delivered: 1 });
  await removeOldCounts(app.ctx);
  expect(await lastDayOf(from)).toMatchObject({ delivered: 1 });
  clock.advance(101 * 24 * hourMs);
  await removeOldCounts(app.ctx);
  const { rows } = await sql`select * from message_counts where account_id = ${from.id}`.execute(app.ctx.db);
  expect(rows).toEqual([]);
});
