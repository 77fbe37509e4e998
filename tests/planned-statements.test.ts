import { expect, onTestFinished, test } from 'vitest';
import { track } from '#contracts/events.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { insertProfiles } from './support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';

const rounds = 40;
/** PostgreSQL plans a statement anew for its first calls, and then by what was cheaper so far. */
const first = 5;

type Planned = { name: string; calls: number; custom: number };

/** The prepared statements of a process that were called in each round, and that a connection plans anew at each call. */
async function plannedAnew({ pool }: TestApplication['ctx']): Promise<string[]> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  try {
    const planned: Planned[] = [];
    for (const client of clients) {
      const { rows } = await client.query<Planned>(
        `select name, (generic_plans + custom_plans)::int as calls, custom_plans::int as custom from pg_prepared_statements`,
      );
      planned.push(...rows);
    }
    return [...Map.groupBy(planned, ({ name }) => name)].flatMap(([name, ofName]) => {
      const calls = ofName.reduce((sum, each) => sum + each.calls, 0);
      return calls >= rounds && ofName.some(({ custom }) => custom > first) ? [name] : [];
    });
  } finally {
    for (const client of clients) client.release();
  }
}

test('messages both ways and events are stored by statements that are not planned anew for each', async () => {
  await using app = await startTestApplication();
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const phone = await connectSandboxPhone(customer, project.id, { max_daily_messages: 100_000 });
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  for (let round = 0; round < rounds; round += 1) {
    const number = String(14_155_553_000 + round);
    await byKey.call(sendMessage, { body: { to: number, message: 'Hello' } });
    await customer.api.call(receiveSandboxMessage, {
      params: { phoneId: phone.id },
      body: { from: number, message: 'Hi' },
    });
    await createApiClient(app.url, { authorization: customer.apiKey }).call(track, {
      body: { phone: `+${number}`, event: 'Ordered', properties: { total: round } },
    });
  }
  expect(await plannedAnew(app.ctx)).toEqual([]);
});

test('a connection whose first change was of a single profile joins the rows of a later one by their ids', async () => {
  await using app = await startTestApplication();
  const { id } = await signUpSubscriber(app.url);
  await insertProfiles(app.ctx.pool, id, 1);
  const pool = createPool({ connectionString: app.ownerConnectionString, logger: app.ctx.logger, maxConnections: 1 });
  onTestFinished(() => pool.end());
  await pool.query(
    `insert into typed_fields (account_id, path, type, keys) values ($1, 'custom_fields.a', 'number', '{a}')`,
    [id],
  );
  const plans: string[] = [];
  const client = await pool.connect();
  client.on('notice', ({ message = '' }) => plans.push(message));
  await client.query(`load 'auto_explain'`);
  await client.query('set auto_explain.log_min_duration = 0');
  await client.query('set auto_explain.log_nested_statements = on');
  await client.query('set client_min_messages = log');
  // A plan of a trigger is kept, however many rows the next change has.
  await client.query(`update profiles set custom_fields = '{"a": 1}' where account_id = $1`, [id]);
  client.release();
  const ofBothTables = plans.filter((plan) => plan.split('Named Tuplestore Scan').length === 3);
  expect(ofBothTables.map((plan) => /(Hash|Merge) Full Join/.test(plan))).toEqual([true, true]);
});
