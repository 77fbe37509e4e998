import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createFlow, getFlow, listDeliveries, runFlow } from '#contracts/flows.ts';
import type { Flow } from '#contracts/flows.ts';
import { listMessages } from '#contracts/messages.ts';
import { disconnectPhone } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { inTransaction } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

const cleanUp: (() => PromiseLike<unknown>)[] = [];

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

/** So many processes over one database, each with an API and workers. */
async function startApplications(count: number): Promise<[TestApplication, ...TestApplication[]]> {
  const secretKey = randomBytes(32);
  const first = await startTestApplication({ secretKey });
  cleanUp.push(() => first[Symbol.asyncDispose]());
  const others: TestApplication[] = [];
  while (others.length < count - 1) {
    const other = await startTestApplication({ secretKey, connectionString: first.connectionString });
    cleanUp.push(() => other[Symbol.asyncDispose]());
    others.push(other);
  }
  return [first, ...others];
}

async function makeFlow({ api }: Customer, project: Project, values: object = {}): Promise<Flow> {
  const { body } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: project.id, message: 'Hello {name}' },
      active: false,
      ...values,
    },
  });
  return body;
}

const flowNow = async ({ api }: Customer, { id }: Flow) => (await api.call(getFlow, { params: { flowId: id } })).body;

test.each([
  ['three processes and twelve runs at once', false],
  ['the same beside the workers, who run it by themselves', true],
])('%s: one message to each of two thousand', async (_name, active) => {
  const apps = await startApplications(3);
  const customer = await signUpSubscriber(apps[0].url);
  const project = await makeProject(customer);
  for (let phone = 0; phone < 3; phone += 1) {
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 10_000 });
  }
  await insertProfiles(apps[0].ctx.pool, customer.id, 2_000);
  const flow = await makeFlow(customer, project, { active });
  const runs = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const { url } = apps[index % apps.length] ?? apps[0];
      const api = createApiClient(url, { authorization: customer.token });
      return (await api.call(runFlow, { params: { flowId: flow.id } })).body;
    }),
  );
  expect(runs.every(({ matched }) => matched === 2_000)).toBe(true);
  await expect
    .poll(async () => (await flowNow(customer, flow)).counts)
    .toMatchObject({ waiting: 0, sent: 2_000, failed: 0, skipped: 0 });
  const { rows } = await apps[0].ctx.pool.query<{ sent: number; profiles: number }>(
    'select count(*) as sent, count(distinct profile_id) as profiles from messages where flow_id = $1',
    [flow.id],
  );
  expect(rows).toEqual([{ sent: 2_000, profiles: 2_000 }]);
  const { body } = await customer.api.call(listDeliveries, { params: { flowId: flow.id }, query: { page: 40 } });
  expect(body).toMatchObject({ total: 2_000, page: 40, pageSize: 50 });
  expect(body.deliveries).toHaveLength(50);
});

test('a run of more than the caller waits for is finished by the workers', async () => {
  const [app] = await startApplications(1);
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await insertProfiles(app.ctx.pool, customer.id, 300);
  const flow = await makeFlow(customer, project);
  // As a process leaves it that ended amid a run: the lease is over.
  await app.ctx.db
    .updateTable('flows')
    .set({ next_run_at: new Date(Date.now() - 1) })
    .where('account_id', '=', customer.id)
    .where('id', '=', flow.id)
    .execute();
  await expect.poll(async () => (await flowNow(customer, flow)).counts.waiting).toBe(300);
  const schedule = () =>
    app.ctx.db.selectFrom('flows').select('next_run_at').where('id', '=', flow.id).executeTakeFirstOrThrow();
  await expect.poll(schedule).toEqual({ next_run_at: null });
});

test('the daily maximum holds a flow back, and says so', async () => {
  const [app] = await startApplications(1);
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 40 });
  await insertProfiles(app.ctx.pool, customer.id, 100);
  const flow = await makeFlow(customer, project);
  await customer.api.call(runFlow, { params: { flowId: flow.id } });
  await expect
    .poll(() => flowNow(customer, flow))
    .toMatchObject({ waiting_for: 'daily_limit', counts: { waiting: 60, sent: 40 } });
});

test('without a subscription nothing runs and nothing goes out; with one again it does', async () => {
  const [app] = await startApplications(1);
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  await customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
  await insertProfiles(app.ctx.pool, customer.id, 5);
  const flow = await makeFlow(customer, project, { active: true });
  await expect.poll(() => flowNow(customer, flow)).toMatchObject({ counts: { waiting: 5 } });
  const { ctx } = app;
  const ofAccount = () => ctx.db.selectFrom('flows').selectAll().where('id', '=', flow.id).executeTakeFirstOrThrow();
  const setAccess = (until: Date | 'infinity') =>
    ctx.db.updateTable('accounts').set({ access_until: until }).where('id', '=', customer.id).execute();
  const turn = async () => {
    const due = new Date(Date.now() - 1_000);
    await ctx.db
      .updateTable('flows')
      .set({ next_run_at: due, next_feed_at: due })
      .where('account_id', '=', customer.id)
      .execute();
    await expect
      .poll(async () => {
        const { next_run_at: runAt, next_feed_at: feedAt } = await ofAccount();
        return [runAt, feedAt].every((at) => at !== null && at > due);
      })
      .toBe(true);
  };
  await setAccess(new Date(0));
  // A turn that began with a subscription is over before the phone can send.
  await turn();
  await ctx.db
    .updateTable('phones')
    .set({ wanted: 'online', status: 'connected' })
    .where('account_id', '=', customer.id)
    .execute();
  await ctx.db
    .deleteFrom('profiles')
    .where('account_id', '=', customer.id)
    .where('phone', '=', '14155551002')
    .execute();
  await insertProfiles(app.ctx.pool, customer.id, 1);
  const before = await ofAccount();
  await turn();
  expect(await ofAccount()).toMatchObject({
    waiting_for: 'subscription',
    waiting_count: 5,
    last_run_at: before.last_run_at,
  });
  await setAccess('infinity');
  await inTransaction(ctx, (tx) =>
    tx.onDomainEvents(tx, [{ type: 'access.opened', accountId: customer.id, at: new Date() }]),
  );
  await expect
    .poll(async () => (await flowNow(customer, flow)).counts)
    .toMatchObject({ waiting: 0, sent: 5, failed: 0, skipped: 1 });
  const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query: {} });
  expect(body.total).toBe(5);
});
