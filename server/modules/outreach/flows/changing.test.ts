import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteFlow, getFlow, listFlows, updateFlow } from '#contracts/flows.ts';
import { listMessages } from '#contracts/messages.ts';
import { connectPhone, disconnectPhone } from '#contracts/phone-numbers.ts';
import { deleteProfile } from '#contracts/profiles.ts';
import { deleteProject } from '#contracts/projects.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import {
  addProfile,
  allSent,
  countsOf,
  deliveriesOf,
  makeFlow,
  makeFlowScene,
  run,
} from '#tests/support/flow-scene.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

test('an inactive flow does nothing by itself; one that is switched off gives up what is planned, and meets them anew', async () => {
  const on = await makeFlowScene(app);
  const { phone } = on;
  const active = await makeFlow(on, { active: true });
  await on.customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
  await addProfile(on, 1);
  await expect
    .poll(async () => (await on.customer.api.call(getFlow, { params: { flowId: active.id } })).body)
    .toMatchObject({ counts: { waiting: 1 }, waiting_for: 'no_connected_phone' });
  const off = await on.customer.api.call(updateFlow, { params: { flowId: active.id }, body: { active: false } });
  expect(off.body).toMatchObject({ active: false, waiting_for: null, counts: { waiting: 0 } });
  await addProfile(on, 2);
  await on.customer.api.call(connectPhone, { params: { phoneId: phone.id } });
  const other = await makeFlow(on, { active: true });
  await allSent(on, other, 2);
  expect(await countsOf(on, active)).toMatchObject({ waiting: 0, sent: 0 });
  const { body: on2 } = await on.customer.api.call(updateFlow, {
    params: { flowId: active.id },
    body: { active: true },
  });
  expect(on2.active).toBe(true);
  await allSent(on, active, 2);
});

test('the new message goes to those who wait; a deleted flow sends nothing more', async () => {
  const on = await makeFlowScene(app);
  await on.customer.api.call(disconnectPhone, { params: { phoneId: on.phone.id } });
  await addProfile(on, 1);
  const flow = await makeFlow(on);
  const doomed = await makeFlow(on, { name: 'Doomed' });
  await run(on, flow);
  await run(on, doomed);
  const action = { projectId: on.project.id, message: 'Good morning {name}' };
  await on.customer.api.call(updateFlow, { params: { flowId: flow.id }, body: { action } });
  expect((await deliveriesOf(on, flow))[0]?.message).toBe('Good morning Person 1');
  expect((await on.customer.api.call(deleteFlow, { params: { flowId: doomed.id } })).status).toBe(204);
  await on.customer.api.call(connectPhone, { params: { phoneId: on.phone.id } });
  await allSent(on, flow, 1);
  const { body } = await on.customer.api.call(listMessages, { params: { projectId: on.project.id }, query: {} });
  expect(body.data.map(({ message }) => message)).toEqual(['Good morning Person 1']);
  expect((await on.customer.api.refuse(getFlow, { params: { flowId: doomed.id } })).status).toBe(404);
  expect((await on.customer.api.call(listFlows)).body.data.map(({ id }) => id)).toEqual([flow.id]);
});

test('a person who is deleted and added anew while the message waits gets it all the same', async () => {
  const on = await makeFlowScene(app);
  const { api } = on.customer;
  const flow = await makeFlow(on, { active: true });
  const params = { flowId: flow.id };
  await api.call(disconnectPhone, { params: { phoneId: on.phone.id } });
  const gone = await addProfile(on, 1);
  await expect.poll(() => countsOf(on, flow)).toMatchObject({ waiting: 1 });
  await api.call(deleteProfile, { params: { profileId: gone.id } });
  const anew = await addProfile(on, 1);
  // The flow looks at them, and passes them over: a message to their number waits.
  const lastRun = async () => Date.parse((await api.call(getFlow, { params })).body.last_run_at ?? '');
  await expect.poll(lastRun).toBeGreaterThan(Date.parse(anew.created_at));
  await api.call(connectPhone, { params: { phoneId: on.phone.id } });
  await expect.poll(() => countsOf(on, flow)).toMatchObject({ waiting: 0, sent: 1, skipped: 1 });
  expect((await deliveriesOf(on, flow)).map(({ profile_id: id, status }) => [id, status])).toEqual([
    [anew.id, 'sent'],
    [gone.id, 'skipped'],
  ]);
});

test('a project takes its flows and all that is theirs with it', async () => {
  const on = await makeFlowScene(app);
  await addProfile(on, 1);
  const flow = await makeFlow(on);
  await run(on, flow);
  await allSent(on, flow, 1);
  await on.customer.api.call(deleteProject, { params: { projectId: on.project.id } });
  expect((await on.customer.api.call(listFlows)).body.data).toEqual([]);
  for (const table of ['flow_profiles', 'flow_deliveries', 'flow_tallies'] as const) {
    const left = await app.ctx.db.selectFrom(table).select('flow_id').where('flow_id', '=', flow.id).execute();
    expect(left).toEqual([]);
  }
});

test('changed while its project is being deleted, it is not found, and neither holds the other up', async () => {
  const on = await makeFlowScene(app);
  const flow = await makeFlow(on);
  const deleting = await app.ctx.pool.connect();
  try {
    await deleting.query('begin');
    await deleting.query('select from flows where id = $1 for update', [flow.id]);
    const changed = on.customer.api.refuse(updateFlow, {
      params: { flowId: flow.id },
      body: { action: { projectId: on.project.id, message: 'Later' } },
    });
    await untilSomebodyWaits(app.ctx.pool);
    await deleting.query('delete from projects where id = $1', [on.project.id]);
    await deleting.query('commit');
    expect((await changed).status).toBe(404);
  } finally {
    deleting.release();
  }
});
