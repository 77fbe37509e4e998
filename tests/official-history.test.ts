import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listConversationMessages, listConversations } from '#contracts/conversations.ts';
import { listMessages } from '#contracts/messages.ts';
import { getPhoneHistory } from '#contracts/phone-history.ts';
import { testPhoneNumber } from '#contracts/phone-numbers.ts';
import { listSuppressions } from '#contracts/suppressions.ts';
import { askAgainForShared } from '#server/modules/numbers/phones/index.ts';
import { CloudApiStandIn } from './cloud-api/stand-in.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { officialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

beforeAll(async () => {
  meta = await CloudApiStandIn.listen();
  meta.number.isShared = true;
  app = await startTestApplication({ env: meta.settings });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await meta.close();
});

const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

/** A piece of the chats as Meta tells of it. */
function tellHistory(threads: object[], progress: number): void {
  const { display, id } = meta.number;
  meta.tell('history', {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: display, phone_number_id: id },
    history: [{ metadata: { phase: 0, chunk_order: 1, progress }, threads }],
  });
}

test('the chats of a number of the Business app come once, into conversations, and nobody is told that they came', async () => {
  const scene = await officialScene(app, meta);
  const person = '4915110006001';
  const own = meta.number.display;
  const message = (id: string, ago: number, body: string, isOwn: boolean) => ({
    ...(isOwn ? { from: own, to: person } : { from: person }),
    id: `wamid.history${id}`,
    timestamp: secondsAgo(ago),
    type: 'text',
    text: { body },
    history_context: { status: isOwn ? 'READ' : 'DELIVERED' },
  });
  const thread = {
    id: person,
    messages: [message('1', 300, 'STOP', false), message('2', 200, 'Sorry', true), { type: 'odd' }],
  };
  tellHistory([thread, { id: 'nobody' }, null as never], 40);
  tellHistory([thread, { id: person, messages: [message('3', 100, 'Thank you', false)] }], 100);
  const list = async () =>
    (await scene.api.call(listConversations, { query: { project_id: scene.project.id } })).body.data;
  const textsOf = async (conversationId: number) => {
    const { data } = (await scene.api.call(listConversationMessages, { params: { conversationId }, query: {} })).body;
    return data
      .map((each) => [each.direction, each.message, each.status])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  };
  await vi.waitFor(async () => {
    const [conversation] = await list();
    expect(conversation).toMatchObject({ phone: person, unread_count: 0 });
    expect(await textsOf(conversation?.id ?? 0)).toEqual([
      ['incoming', 'STOP', 'delivered'],
      ['incoming', 'Thank you', 'delivered'],
      ['outgoing', 'Sorry', 'read'],
    ]);
  }, patience);
  const params = { phoneId: scene.phone.id };
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getPhoneHistory, { params })).body).toMatchObject({
        is_wanted: true,
        state: 'done',
        percent: 100,
        chats: 1,
        messages: 3,
      }),
    patience,
  );
  expect((await scene.api.call(listSuppressions, { query: {} })).body.data).toEqual([]);
  const { rows } = await app.ctx.pool.query(
    `select count(*)::int as n from webhook_records where project_id = ${scene.project.id} and type = 'message.received'`,
  );
  expect(rows).toEqual([{ n: 0 }]);
  // No window is open by what was said before.
  expect(await scene.send({ to: `+${person}`, message: 'Hello' })).toMatchObject({
    status: 409,
    body: { code: 'window_closed' },
  });
});

test('files of earlier chats follow in webhooks of their own, before their place in the chat or after it', async () => {
  const scene = await officialScene(app, meta);
  const { display, id } = meta.number;
  const person = '4915110006011';
  const bytes = Buffer.from('not really a picture');
  const file = () => ({
    mime_type: 'image/jpeg',
    id: meta.media.add(id, { mimeType: 'image/jpeg', bytes, daysKept: 7 }).id,
  });
  const place = (name: string, from: string, ago: number) => ({
    from,
    id: `wamid.file.${name}`,
    timestamp: secondsAgo(ago),
    type: 'media_placeholder',
    history_context: { status: 'READ' },
  });
  const tellFile = ({ history_context: _context, ...at }: ReturnType<typeof place>, caption: string) => {
    const metadata = { display_phone_number: `+${display}`, phone_number_id: id };
    const message = { ...at, type: 'image', image: { ...file(), caption } };
    meta.tell('history', { messaging_product: 'whatsapp', metadata, messages: [message] });
  };
  const [theirs, ours, early, lost] = [
    place('1', person, 300),
    place('2', display, 200),
    place('3', person, 100),
    place('4', person, 50),
  ];
  tellHistory([{ id: person, messages: [theirs, ours, lost] }], 50);
  tellFile(theirs, 'Theirs');
  tellFile(ours, 'Ours');
  tellFile(ours, 'Ours');
  tellFile(early, 'Early');
  tellHistory([{ id: person, messages: [early] }], 100);
  const shown = async () => {
    const { data } = (await scene.api.call(listMessages, { params: { projectId: scene.project.id }, query: {} })).body;
    return data
      .toSorted((a, b) => ((a.sent_at ?? '') < (b.sent_at ?? '') ? -1 : 1))
      .map((each) => [each.type, each.direction, each.message, each.media?.state, each.protocol_type]);
  };
  await vi.waitFor(async () => {
    expect(await shown()).toEqual([
      ['image', 'incoming', 'Theirs', 'stored', null],
      ['image', 'outgoing', 'Ours', 'stored', null],
      ['image', 'incoming', 'Early', 'stored', null],
      ['unsupported', 'incoming', '', undefined, 'media_placeholder'],
    ]);
  }, patience);
  const { rows } = await app.ctx.pool.query(
    `select count(*)::int as n from webhook_records where project_id = $1 and type like 'message.%'`,
    [scene.project.id],
  );
  expect(rows).toEqual([{ n: 0 }]);
});

/** The Business app holds a chat, and handed nothing over yet. */
function shareChat(person: string, text: string): void {
  const message = { from: person, id: `wamid.${text}`, timestamp: secondsAgo(100), type: 'text', text: { body: text } };
  Object.assign(meta.number, { handedOver: [], chats: [{ id: person, messages: [message] }] });
}

const asked = () => meta.requests.filter((request) => request.endsWith('/smb_app_data')).length;

test('the address book and the chats of the Business app are asked for with the first webhook, and once', async () => {
  const person = '4915110006003';
  shareChat(person, 'Earlier');
  const before = asked();
  const scene = await officialScene(app, meta);
  const latest = async () =>
    (await scene.api.call(listConversations, { query: { project_id: scene.project.id } })).body.data.map(
      ({ phone, last_message: last }) => [phone, last?.message],
    );
  await scene.api.call(testPhoneNumber, { params: { phoneId: scene.phone.id } });
  expect(asked()).toBe(before);
  meta.receiveText('4915110006004', 'Now');
  await vi.waitFor(
    async () =>
      expect(await latest()).toEqual([
        ['4915110006004', 'Now'],
        [person, 'Earlier'],
      ]),
    patience,
  );
  expect(meta.number.handedOver).toEqual(['smb_app_state_sync', 'history']);
  meta.receiveText('4915110006004', 'Again');
  await vi.waitFor(async () => expect((await latest())[0]).toEqual(['4915110006004', 'Again']), patience);
  await scene.api.call(testPhoneNumber, { params: { phoneId: scene.phone.id } });
  expect(asked()).toBe(before + 2);
});

test('a request that Meta did not take is sent again, until it does', async () => {
  const person = '4915110006005';
  const scene = await officialScene(app, meta);
  await scene.api.call(testPhoneNumber, { params: { phoneId: scene.phone.id } });
  shareChat(person, 'Before');
  const before = asked();
  meta.faults.outage = 503;
  meta.receiveText('4915110006006', 'Now');
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(before), patience);
  await askAgainForShared(app.ctx);
  meta.faults.outage = undefined;
  expect(meta.number.handedOver).toEqual([]);
  await askAgainForShared(app.ctx);
  await vi.waitFor(async () => {
    const { data } = (await scene.api.call(listConversations, { query: { project_id: scene.project.id } })).body;
    expect(data.map(({ phone }) => phone)).toContain(person);
  }, patience);
  const times = asked();
  await askAgainForShared(app.ctx);
  expect(asked()).toBe(times);
});

test('an owner who shares no chats, and history of any other shape, change nothing', async () => {
  const scene = await officialScene(app, meta);
  const { display, id } = meta.number;
  const metadata = { display_phone_number: display, phone_number_id: id };
  meta.tell('history', {
    metadata,
    history: [{ errors: [{ code: 2593109, title: 'History sharing is turned off' }] }],
  });
  meta.tell('history', { metadata, history: 'none' });
  meta.tell('history', {});
  await meta.webhooks.settled();
  meta.receiveText('4915110006002', 'Still here');
  await vi.waitFor(
    async () =>
      expect(
        (await scene.api.call(listConversations, { query: { project_id: scene.project.id } })).body.data,
      ).toMatchObject([{ phone: '4915110006002' }]),
    patience,
  );
  expect((await scene.api.call(getPhoneHistory, { params: { phoneId: scene.phone.id } })).body.state).toBe('none');
});
