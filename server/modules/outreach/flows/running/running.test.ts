import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDeliveries } from '#contracts/flows.ts';
import { listMessages } from '#contracts/messages.ts';
import { connectPhone, disconnectPhone } from '#contracts/phone-numbers.ts';
import { deleteProfile, getProfile, updateProfile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import {
  addProfile,
  allSent,
  countsOf,
  deliveriesOf,
  hasEmail,
  isInstalled,
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

test('a run sends to whom it matches, fills the text, and leaves out invalid numbers and people who opted out', async () => {
  const on = await makeFlowScene(app);
  const first = await addProfile(on, 1, { custom_fields: { shop: { city: 'Lisbon' } } });
  const second = await addProfile(on, 2);
  await addProfile(on, 3, { phone: '19995550100' });
  await addProfile(on, 4, { status: 'unsubscribed' });
  await addProfile(on, 5, { email: null });
  const message = '{name} <{email}> {phone} in {custom_fields.shop.city}, {nothing}.';
  const flow = await makeFlow(on, { action: { type: 'send_message', project_id: on.project.id, message } });
  expect(flow).toMatchObject({
    active: false,
    last_run_at: null,
    action: { projectId: on.project.id, project_id: on.project.id },
    counts: { waiting: 0, sent: 0, failed: 0, skipped: 0 },
  });
  const ran = await run(on, flow);
  expect(ran).toMatchObject({ matched: 4, queued: 2, skipped: 2 });
  expect(ran.flow.last_run_at).not.toBeNull();
  await allSent(on, flow, 2);
  const deliveries = await deliveriesOf(on, flow);
  expect(deliveries.map(({ profile_id, message: text, status }) => [profile_id, text, status])).toEqual([
    [second.id, `Person 2 <p2@example.com> ${second.phone} in , .`, 'sent'],
    [first.id, `Person 1 <p1@example.com> ${first.phone} in Lisbon, .`, 'sent'],
  ]);
  await expect
    .poll(async () => (await deliveriesOf(on, flow)).map(({ message_status }) => message_status))
    .toEqual(['read', 'read']);
  expect(await run(on, flow)).toMatchObject({ matched: 4, queued: 0, skipped: 2 });
  const { body: page } = await on.customer.api.call(listDeliveries, {
    params: { flowId: flow.id },
    query: { page: 2, pageSize: 1 },
  });
  expect(page).toMatchObject({ total: 2, page: 2, pageSize: 1, deliveries: [{ profile_id: first.id }] });
  const { body: messages } = await on.customer.api.call(listMessages, {
    params: { projectId: on.project.id },
    query: { flow_id: flow.id },
  });
  expect(messages).toMatchObject({ total: 2, data: [{ flow_id: flow.id }, { flow_id: flow.id }] });
});

test('an active flow sends by itself within seconds of a change, once', async () => {
  const on = await makeFlowScene(app);
  await addProfile(on, 1, { custom_fields: { installed: false } });
  const flow = await makeFlow(on, { active: true, conditions: [isInstalled, hasEmail] });
  const profile = await addProfile(on, 2, { custom_fields: { installed: true } });
  await allSent(on, flow, 1);
  await on.customer.api.call(updateProfile, { params: { profileId: profile.id }, body: { name: 'Somebody' } });
  await addProfile(on, 3, { custom_fields: { installed: true } });
  await allSent(on, flow, 2);
  expect((await deliveriesOf(on, flow)).filter(({ profile_id }) => profile_id === profile.id)).toHaveLength(1);
});

test('four runs at once, beside the worker, send one message to each', async () => {
  const on = await makeFlowScene(app);
  for (let index = 0; index < 30; index += 1) await addProfile(on, index);
  const flow = await makeFlow(on, { active: true });
  const runs = await Promise.all(Array.from({ length: 4 }, () => run(on, flow)));
  expect(runs.every(({ matched }) => matched === 30)).toBe(true);
  await allSent(on, flow, 30);
  const deliveries = await deliveriesOf(on, flow, { pageSize: 100 });
  expect(new Set(deliveries.map(({ profile_id }) => profile_id)).size).toBe(30);
  expect(deliveries).toHaveLength(30);
});

test('its own message does not arm a flow again', async () => {
  const on = await makeFlowScene(app);
  const profile = await addProfile(on, 1);
  const flow = await makeFlow(on, { frequency: { type: 'once_per_hours', value: '1' } });
  await run(on, flow);
  await allSent(on, flow, 1);
  await expect.poll(async () => (await deliveriesOf(on, flow))[0]?.message_status).toBe('read');
  const { body: after } = await on.customer.api.call(getProfile, { params: { profileId: profile.id } });
  expect(after.updated_at).toBe(profile.updated_at);
  expect(await run(on, flow)).toMatchObject({ matched: 1, queued: 0 });
});

test('a delivery that cannot be sent is skipped or failed with the reason, and goes out once that is corrected', async () => {
  const on = await makeFlowScene(app);
  await on.customer.api.call(disconnectPhone, { params: { phoneId: on.phone.id } });
  const named = await addProfile(on, 1);
  const nameless = await addProfile(on, 2, { name: null });
  const long = await addProfile(on, 3, { name: 'x'.repeat(100), custom_fields: { text: 'y'.repeat(4_000) } });
  const gone = await addProfile(on, 4);
  const leaving = await addProfile(on, 5);
  const refused = await addProfile(on, 0, { phone: '14155550000' });
  const flow = await makeFlow(on, {
    action: { type: 'send_message', projectId: on.project.id, message: '{name}{custom_fields.text}' },
  });
  expect(await run(on, flow)).toMatchObject({ queued: 6 });
  const waiting = await deliveriesOf(on, flow);
  expect(waiting.map(({ status, sent_at }) => [status, sent_at])).toEqual(
    Array.from({ length: 6 }, () => ['waiting', null]),
  );
  expect(waiting.find(({ profile_id }) => profile_id === named.id)?.message).toBe('Person 1');
  await on.customer.api.call(deleteProfile, { params: { profileId: gone.id } });
  await on.customer.api.call(updateProfile, { params: { profileId: leaving.id }, body: { status: 'opted_out' } });
  await on.customer.api.call(updateProfile, { params: { profileId: named.id }, body: { name: 'Ada' } });
  await on.customer.api.call(updateProfile, { params: { profileId: long.id }, body: { name: 'x'.repeat(120) } });
  await on.customer.api.call(connectPhone, { params: { phoneId: on.phone.id } });
  await expect.poll(() => countsOf(on, flow)).toMatchObject({ waiting: 0, sent: 1, failed: 1, skipped: 4 });
  const outcomes = Object.fromEntries(
    (await deliveriesOf(on, flow)).map(({ profile_id, status, error, error_code }) => [
      profile_id,
      [status, error, error_code],
    ]),
  );
  expect(outcomes).toEqual({
    [named.id]: ['sent', null, null],
    [nameless.id]: ['skipped', 'The message is empty for this profile', 'empty_message'],
    [long.id]: ['skipped', 'The message is longer than 4096 characters for this profile', 'message_too_long'],
    [gone.id]: ['skipped', 'The profile was deleted', 'profile_deleted'],
    [leaving.id]: ['skipped', 'Opted out of messages', 'opted_out'],
    [refused.id]: ['failed', 'This number is not on WhatsApp', 'not_on_whatsapp'],
  });
  expect((await deliveriesOf(on, flow)).find(({ profile_id }) => profile_id === gone.id)).toMatchObject({
    is_profile_deleted: true,
    profile_name: null,
    phone: gone.phone,
  });
  const back = { opted_out: false, opt_in_reason: 'Asked for it at the counter' };
  await on.customer.api.call(updateProfile, { params: { profileId: leaving.id }, body: back });
  expect(await run(on, flow)).toMatchObject({ queued: 1 });
  await allSent(on, flow, 2);
});
