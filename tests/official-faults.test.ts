import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { getMessage } from '#contracts/messages.ts';
import { connectPhone, getPhoneNumber, testPhoneNumber } from '#contracts/phone-numbers.ts';
import { listSuppressions } from '#contracts/suppressions.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { addTemplate, filled } from './support/connect-official.ts';
import { setUpOfficial } from './support/official-application.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

beforeEach(() => {
  meta.fates.clear();
  meta.refusals.clear();
});

const phoneOf = async ({ api, phone }: OfficialScene) =>
  (await api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body;

/** Where Meta's word comes before the caller is answered, the answer says that it failed. */
const idOf = ({ id, message_id: refusedId = id }: { id: number; message_id?: number }) => refusedId;

async function untilFailed({ api }: OfficialScene, messageId: number, code: string): Promise<void> {
  await expect
    .poll(async () => (await api.call(getMessage, { params: { messageId } })).body)
    .toMatchObject({ status: 'failed', error_code: code });
}

test('a fault of the number that comes after the answer stops it, until a test of it finds all right', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  meta.fates.set('4915120010001', 131042);
  const { body } = await scene.send({ to: '+4915120010001', ...filled(template) });
  await untilFailed(scene, idOf(body), 'number_stopped');
  expect(await phoneOf(scene)).toMatchObject({
    waiting_for: 'phone_restricted',
    waiting_until: null,
    cloud: { holds: [{ scope: 'all', reason: expect.stringContaining('payment method') as string, until: null }] },
  });
  const refused = await scene.send({ to: '+4915120010002', ...filled(template) });
  expect(refused).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
  meta.number.canSend = 'LIMITED';
  await scene.api.call(testPhoneNumber, { params: { phoneId: scene.phone.id } });
  expect(await phoneOf(scene)).toMatchObject({ waiting_for: 'phone_restricted' });
  meta.number.canSend = 'AVAILABLE';
  await scene.api.call(testPhoneNumber, { params: { phoneId: scene.phone.id } });
  expect(await phoneOf(scene)).toMatchObject({ waiting_for: null, cloud: { holds: [] } });
  expect((await scene.send({ to: '+4915120010002', ...filled(template) })).status).toBe(200);
});

test("somebody who is not on a test number's list stops it with what to do, and a direct message says why", async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  meta.account.allowList = new Set(['4915120010011']);
  onTestFinished(() => void (meta.account.allowList = null));
  const refused = await scene.send({ to: '+4915120010012', ...filled(template) });
  expect(refused).toMatchObject({ status: 502, body: { code: 'number_stopped' } });
  await expect
    .poll(() => phoneOf(scene))
    .toMatchObject({ status: 'auth_failed', error: expect.stringContaining('list') });
  meta.account.allowList.add('4915120010012');
  await scene.api.call(connectPhone, { params: { phoneId: scene.phone.id } });
  expect((await scene.send({ to: '+4915120010012', ...filled(template) })).status).toBe(200);
});

test('a code that nobody knows stops the number once five people in a row failed with it after the answer', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  for (let index = 0; index < 5; index += 1) {
    expect(await phoneOf(scene)).toMatchObject({ waiting_for: null });
    meta.fates.set(`491512001100${index}`, 999_998);
    const { body } = await scene.send({ to: `+491512001100${index}`, ...filled(template) });
    await untilFailed(scene, idOf(body), 'network_refused');
  }
  expect(await phoneOf(scene)).toMatchObject({
    waiting_for: 'phone_restricted',
    cloud: { holds: [{ reason: expect.stringContaining('999998') as string }] },
  });
});

test.each([
  ['after the answer', '4915120012001', () => meta.fates],
  ['as the answer', '4915120012002', () => meta.refusals],
])('word %s that somebody stopped marketing is an opt-out of marketing', async (_name, to, fates) => {
  const scene = await officialScene(app, meta);
  const marketing = addTemplate(meta, { category: 'MARKETING' });
  const utility = addTemplate(meta);
  await scene.sync();
  fates().set(to, 131050);
  await scene.send({ to: `+${to}`, ...filled(marketing) });
  await expect
    .poll(async () => (await scene.api.call(listSuppressions, { query: {} })).body.data)
    .toMatchObject([{ phone: to, topic: 'marketing' }]);
  const sent = meta.sent.length;
  fates().clear();
  const refused = await scene.send({ to: `+${to}`, ...filled(marketing) });
  expect(refused).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  expect(meta.sent).toHaveLength(sent);
  expect((await scene.send({ to: `+${to}`, ...filled(utility) })).status).toBe(200);
});

test('a message that Meta holds until the quality of its template is judged goes once, and fails where it is dropped', async () => {
  const scene = await officialScene(app, meta);
  const template = addTemplate(meta);
  await scene.sync();
  const sentBefore = meta.sent.length;
  const statusOf = async (messageId: number) =>
    (await scene.api.call(getMessage, { params: { messageId } })).body.status;
  meta.account.judged.add(template.id);
  const { status, body } = await scene.send({ to: '+4915120013001', ...filled(template) });
  expect([status, await statusOf(body.id)]).toEqual([200, 'sent']);
  meta.judge(template, true);
  await expect.poll(() => statusOf(body.id)).toBe('read');
  meta.account.judged.add(template.id);
  const { body: dropped } = await scene.send({ to: '+4915120013002', ...filled(template) });
  meta.judge(template, false);
  await untilFailed(scene, dropped.id, 'template_refused');
  expect(meta.sent).toHaveLength(sentBefore + 2);
});
