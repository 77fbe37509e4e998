import { expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { adminCommand } from '#server/admin/commands.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { patience } from './support/patience.ts';
import { startRelay } from './support/relay.ts';

type Line = { level: number; msg: string } & Record<string, unknown>;

/** The product behind a relay to its database, with a shop of so many phones, and what it logs from now on. */
async function startShop(phones: number) {
  const lines: Line[] = [];
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const relay = await startRelay(database.applicationConnectionString);
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const app = await startTestApplication({ connectionString: relay.connectionString, logger });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  for (let index = 0; index < phones; index += 1) await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  lines.splice(0);
  return { app, database, relay, customer, byKey, lines };
}

const saying = (lines: readonly Line[], words: string) => lines.filter(({ msg }) => msg.startsWith(words));

test('a takeover is one line, however many phones it is of', async () => {
  const { database, lines } = await startShop(6);
  await database.pool.query(`update phone_leases set owner = 'gone', token = nextval('lease_token_seq'),
                                    expires_at = clock_timestamp() - interval '1 second'`);
  await expect.poll(() => saying(lines, 'took over'), patience).toMatchObject([{ level: 30, phones: 6 }]);
});

test('an act of an operator is one line: a suspension, too, whatever it holds up', async () => {
  const { app, customer, byKey, lines } = await startShop(1);
  const typed = ['accounts', 'suspend', String(customer.id), '--reason', 'Complaints.', '--operator', 'grace'];
  await adminCommand(typed)(app.ctx);
  for (let count = 0; count < 20; count += 1) {
    await byKey.refuse(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
  }
  await expect.poll(() => saying(lines, 'an operator acted'), patience).toHaveLength(1);
  const act = {
    operator: 'grace',
    action: 'accounts suspend',
    accountId: customer.id,
    target: `account ${customer.id}`,
  };
  expect(lines).toMatchObject([{ level: 30, act }]);
});

test('an outage of the database is one line, and one when it is over', async () => {
  const { app, relay, byKey, lines } = await startShop(1);
  relay.goAway();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { status } = await byKey.refuse(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
      expect(status).toBe(503);
    }),
  );
  // The services that poll have noticed it by then.
  const failed = async () =>
    (await (await fetch(`${app.url}/metrics`)).text()).match(/dovepost_task_errors_total\{[^}]+\} [1-9]/g) ?? [];
  await expect.poll(async () => (await failed()).length, patience).toBeGreaterThan(5);
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringMatching(/^the database is away;/), err: {} }]);
  relay.recover();
  await expect.poll(() => saying(lines, 'the database answers again'), patience).toHaveLength(1);
  expect(lines).toHaveLength(2);
  expect(lines[1]?.['linesLeftOut']).toBeGreaterThan(20);
});
