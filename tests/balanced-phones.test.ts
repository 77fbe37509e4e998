import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';

const phoneCount = 9;

test('a worker that joins gets its share, and gives it back as it leaves, while every phone goes on sending', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const secretKey = randomBytes(32);
  const start = async (): Promise<TestApplication> => {
    const app = await startTestApplication({ connectionString: database.applicationConnectionString, secretKey });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const first = await start();
  const customer = await signUpSubscriber(first.url);
  const { auth_key: key, id: projectId } = await makeProject(customer);
  for (let made = 0; made < phoneCount; made += 1) {
    await connectSandboxPhone(customer, projectId, { max_daily_messages: 1_000_000 });
  }
  const held = async () => {
    const { rows } = await database.pool.query<{ phones: number }>(
      'select count(*)::int as phones from phone_leases where expires_at > clock_timestamp() group by owner order by 1',
    );
    return rows.map(({ phones }) => phones);
  };
  const statuses = async () =>
    (await database.pool.query('select id, status, status_changed_at from phones order by id')).rows;
  expect(await held()).toEqual([phoneCount]);
  const before = await statuses();

  // By turns each phone, those between two workers among them.
  const answers: number[] = [];
  const ending = new AbortController();
  const sendOn = async () => {
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const response = await fetch(first.url + sendMessage.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': key },
        body: JSON.stringify({ to: String(14_155_551_100 + (index % 500)), message: 'Hello' }),
      });
      await response.text();
      answers.push(response.status);
    }
  };
  const sending = sendOn();
  onTestFinished(async () => {
    ending.abort();
    await sending;
  });

  const second = await start();
  await expect.poll(held, { interval: 50 }).toEqual([4, 5]);
  const taken = await database.pool.query('select phone_id, token from phone_leases order by 1');
  await second.stop();
  await expect.poll(held, { interval: 50 }).toEqual([phoneCount]);
  ending.abort();
  await sending;

  // Sent, each of them, before its caller had waited for long.
  expect([...new Set(answers)]).toEqual([200]);
  expect(await statuses()).toEqual(before);
  // Phones that stayed in place kept their leases all along.
  const { rows: after } = await database.pool.query('select phone_id, token from phone_leases order by 1');
  expect(after.filter((lease) => taken.rows.some((row) => row.token === lease.token))).toHaveLength(5);
});
