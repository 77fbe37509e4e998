import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMessages, receiveSandboxMessage } from '#contracts/messages.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { getSuppression, listSuppressions, updateOptOutSettings } from '#contracts/suppressions.ts';
import type { OptOutSettingsChange } from '#contracts/suppressions.ts';
import type { IncomingContent, IncomingMessage } from '#server/connectors/messaging/port.ts';
import { receiveMessage } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, makeScene, recipients, textsOf, until } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const clock = createTestClock();
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});

afterAll(() => app[Symbol.asyncDispose]());

const contact = '14155550123';
const confirmation = 'You will not get any more messages from us. Reply START if you want them again.';
const welcome = 'You will get our messages again. Reply STOP at any time to end them.';

async function conversation() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const phone = await connectSandboxPhone(customer, project.id, { max_daily_messages: 20 });
  const receiving = {
    accountId: customer.id,
    projectId: project.id,
    phoneId: phone.id,
    number: phone.phone_number ?? '',
  };
  let lastId = 0;
  return {
    customer,
    phone,
    receive: (content: IncomingContent, more: Partial<IncomingMessage> = {}) =>
      receiveMessage(app.ctx, receiving, {
        networkId: `NET${(lastId += 1)}`,
        peer: { number: contact },
        isFromHandset: false,
        at: clock.now(),
        content,
        ...more,
      }),
    set: (body: OptOutSettingsChange) => customer.api.call(updateOptOutSettings, { body }),
    isOut: async (phone_ = contact) =>
      (await customer.api.call(getSuppression, { params: { phone: phone_ } })).body.opted_out,
    /** The sent messages, oldest first. */
    async sent() {
      const query = { direction: 'outgoing', pageSize: 100 } as const;
      const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query });
      return body.data.toReversed();
    },
    async events() {
      const { rows } = await app.ctx.pool.query<{ type: string }>(
        `select type from webhook_records where project_id = $1 and type like 'contact.%' order by id`,
        [project.id],
      );
      return rows.map(({ type }) => type);
    },
  };
}

const text = (words: string): IncomingContent => ({ type: 'text', text: words });
const media = { mimeType: 'image/jpeg', fileName: null, size: 12, sha256: null, source: {} };

test.each<[string, IncomingContent]>([
  ['a text', text('Stop!')],
  ['a caption', { type: 'image', text: 'STOP', media }],
  ['the title of a button', { type: 'text', text: 'Unsubscribe' }],
  ['an edit of what was written before', { type: 'edit', target: 'NET0', text: 'stop' }],
])('%s opts out, with the message as evidence, and is confirmed once', async (_title, content) => {
  const { receive, customer, isOut, sent, events, phone } = await conversation();
  await receive(text('Hello'), { networkId: 'NET0' });
  const stored = await receive(content);
  const { body } = await customer.api.call(listSuppressions, { query: {} });
  const words = 'text' in content ? content.text : '';
  expect(body.data).toMatchObject([
    { phone: contact, by: 'reply', evidence: { message_id: stored?.id, text: words }, note: null },
  ]);
  await receive(text('STOP'));
  expect(await isOut()).toBe(true);
  expect(await sent()).toMatchObject([
    { to: contact, message: confirmation, phone_id: phone.id, source: 'opt_out', override_opt_out: true },
  ]);
  await expect.poll(async () => (await sent())[0]?.status).toBe('read');
  expect(await events()).toEqual(['contact.opted_out']);
});

test.each<[string, IncomingContent, Partial<IncomingMessage>]>([
  ['more than the word', text('Please stop'), {}],
  ['what the owner writes on the handset', text('STOP'), { isFromHandset: true }],
  ['a reaction', { type: 'reaction', target: 'NET0', emoji: '🛑' }, {}],
  ['a file called so', { type: 'document', text: '', media: { ...media, fileName: 'STOP' } }, {}],
])('%s opts nobody out', async (_title, content, more) => {
  const { receive, isOut, sent } = await conversation();
  await receive(text('Hello'), { networkId: 'NET0' });
  await receive(content, more);
  expect(await isOut()).toBe(false);
  expect((await sent()).filter(({ source }) => source === 'opt_out')).toEqual([]);
});

test('START lifts it, whoever put the number there, and is confirmed; without an opt-out it is a word like any other', async () => {
  const { receive, isOut, sent, events } = await conversation();
  await receive(text('START'));
  expect(await sent()).toEqual([]);
  await receive(text('STOP'));
  await receive(text('Start'));
  expect(await isOut()).toBe(false);
  expect((await sent()).map(({ message }) => message)).toEqual([confirmation, welcome]);
  expect(await events()).toEqual(['contact.opted_out', 'contact.opted_in']);
});

test('two programs that answer each other end: each confirmation goes once a day', async () => {
  const { receive, isOut, sent } = await conversation();
  for (let round = 0; round < 5; round += 1) {
    await receive(text('STOP'));
    await receive(text('START'));
  }
  expect((await sent()).map(({ message }) => message)).toEqual([confirmation, welcome]);
  await receive(text('STOP'));
  expect(await isOut()).toBe(true);
  clock.advance(25 * 60 * 60 * 1000);
  await receive(text('START'));
  expect((await sent()).map(({ message }) => message)).toEqual([confirmation, welcome, welcome]);
});

test('a message that was under way for days opts out, and is confirmed no more', async () => {
  const { receive, isOut, sent } = await conversation();
  await receive(text('STOP'), { at: new Date(clock.now().getTime() - 3 * 24 * 60 * 60 * 1000) });
  expect([await isOut(), await sent()]).toEqual([true, []]);
});

test('the account says which words count, what is answered, and whether', async () => {
  const { receive, isOut, sent, set } = await conversation();
  await set({ opt_out_words: ['Keine Werbung'], opt_out_text: 'Verstanden.', confirms_opt_in: false });
  await receive(text('STOP'));
  expect(await isOut()).toBe(false);
  await receive(text('keine werbung!'));
  expect((await sent()).map(({ message }) => message)).toEqual(['Verstanden.']);
  await receive(text('START'));
  expect([await isOut(), (await sent()).length]).toEqual([false, 1]);
  await set({ recognizes_replies: false });
  await receive(text('keine werbung'));
  expect(await isOut()).toBe(false);
});

test('a phone at its daily maximum confirms nothing, and the opt-out stands', async () => {
  const { receive, isOut, sent, phone } = await conversation();
  await app.ctx.pool.query(`update phones set max_daily_messages = 1, daily_count = 1, count_day = $2 where id = $1`, [
    phone.id,
    clock.now().toISOString().slice(0, 10),
  ]);
  await receive(text('STOP'));
  expect([await isOut(), await sent()]).toEqual([true, []]);
});

test('a sender without a number opts out under the LID, and with the number once that is learnt', async () => {
  const { receive, isOut, sent, events, customer } = await conversation();
  const lid = '99887766554433';
  await receive(text('START'), { peer: { lid } });
  const stop = await receive(text('STOP'), { peer: { lid } });
  await receive(text('Well?'), { peer: { lid } });
  expect(await isOut(`lid:${lid}`)).toBe(true);
  expect(await sent()).toMatchObject([{ to: null, from_lid: lid, message: confirmation, source: 'opt_out' }]);
  await receive(text('Hello?'), { peer: { number: contact, lid } });
  expect(await isOut()).toBe(true);
  const { body } = await customer.api.call(listSuppressions, { query: {} });
  expect(body.data).toMatchObject([{ phone: contact, by: 'reply', evidence: { message_id: stop?.id, text: 'STOP' } }]);
  expect(await sent()).toHaveLength(1);
  expect(await events()).toEqual(['contact.opted_out', 'contact.opted_out', 'contact.changed']);
});

test('words of a sender without a number count for a release that kept them alone, the latest first', async () => {
  const { receive, isOut } = await conversation();
  const lid = '99887766554434';
  await receive(text('STOP'), { peer: { lid } });
  await app.ctx.pool.query(`delete from suppressions where phone_key = $1`, [`lid:${lid}`]);
  await receive(text('Hello?'), { peer: { number: contact, lid } });
  expect(await isOut()).toBe(true);
});

test('however many messages come at once, one opt-out and one confirmation is what they make', async () => {
  const { receive, sent, events } = await conversation();
  await Promise.all(Array.from({ length: 12 }, (_, n) => receive(text(n % 3 === 0 ? 'Hello' : 'STOP'))));
  expect((await sent()).length).toBe(1);
  expect(await events()).toEqual(['contact.opted_out']);
});

test('a sandbox number that answers STOP is skipped by the next campaign', async () => {
  const scene = await makeScene(app, [
    { phone: '14155550008', name: 'Otto' },
    { phone: '14155550123', name: 'Ada' },
  ]);
  const first = await create(scene);
  await until(scene, first, { status: 'completed', sent_count: 2 });
  const optedOut = async () =>
    (await scene.customer.api.call(listProfiles, { query: { opted_out: 'true' } })).body.data.map(({ name }) => name);
  await expect.poll(optedOut).toEqual(['Otto']);
  await expect.poll(async () => (await textsOf(scene))['14155550008']).toBe('Hello Otto!');
  const second = await create(scene);
  await until(scene, second, { status: 'completed', sent_count: 1, skipped_count: 1 });
  const { data } = await recipients(scene, second, { status: 'skipped' });
  expect(data).toMatchObject([{ name: 'Otto', error: 'Opted out of messages' }]);
});

test('the sandbox plays STOP over HTTP', async () => {
  const { customer, phone, isOut } = await conversation();
  const params = { phoneId: phone.id };
  await customer.api.call(receiveSandboxMessage, { params, body: { from: contact, message: 'STOP' } });
  expect(await isOut()).toBe(true);
});
