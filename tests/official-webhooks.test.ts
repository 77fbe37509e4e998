import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { getMessage, listMessages } from '#contracts/messages.ts';
import { listSuppressions } from '#contracts/suppressions.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { create, makeScene, recipients, until } from './support/campaign-scene.ts';
import type { Scene } from './support/campaign-scene.ts';
import { connectOfficial } from './support/connect-official.ts';
import { officialScene } from './support/official-scene.ts';
import { createRandom } from './support/random.ts';

/** `FUZZ_WEBHOOKS=10000` for a long run, `SEED` to repeat one. */
const webhooks = Number(process.env['FUZZ_WEBHOOKS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 7);
/** Each is posted by itself, and worked off before the end. */
const longestMs = 120_000 + webhooks * 200;
let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

const connect = ({ customer, projectId }: Scene) => connectOfficial(meta, { customer, url: app.url, projectId });

async function textsOf({ customer, projectId }: Scene): Promise<Set<string>> {
  const texts = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = { page, pageSize: 100, direction: 'incoming' } as const;
    const { data } = (await customer.api.call(listMessages, { params: { projectId }, query })).body;
    for (const { message } of data) texts.add(message);
    if (data.length < 100) return texts;
  }
}

test('a contact who stops marketing in WhatsApp gets nothing of campaigns until they resume; an older word changes nothing', async () => {
  const phone = '4915110000021';
  const scene = await makeScene(app, [{ phone }], { hasPhone: false });
  await connect(scene);
  const { api } = scene.customer;
  const said = (value: 'stop' | 'resume', timestamp: number) =>
    meta.tell('user_preferences', {
      user_preferences: [{ wa_id: phone, category: 'marketing_messages', value, timestamp, detail: '' }],
    });
  const listed = async () => (await api.call(listSuppressions, { query: {} })).body.data;
  const now = Math.floor(Date.now() / 1000);
  meta.receiveText(phone, 'Hello');
  said('stop', now - 60);
  await expect.poll(listed).toMatchObject([{ phone, topic: 'marketing', by: 'reply' }]);
  await expect.poll(async () => (await textsOf(scene)).size).toBe(1);
  const stopped = await create(scene, { message: 'Sale' });
  await until(scene, stopped, { status: 'failed', skipped_count: 1 });
  expect((await recipients(scene, stopped)).data).toMatchObject([{ error_code: 'opted_out' }]);
  said('resume', now - 30);
  await expect.poll(listed).toEqual([]);
  said('stop', now - 45);
  await meta.webhooks.settled();
  const resumed = await create(scene, { name: 'Again', message: 'Sale again' });
  await until(scene, resumed, { status: 'completed', sent_count: 1 });
  expect(await listed()).toEqual([]);
});

const metadata = () => ({ display_phone_number: meta.number.display, phone_number_id: meta.number.id });

/** Samples of Meta's webhooks, each of a kind. */
const samples = (): { field: string; value: Record<string, unknown> }[] => [
  {
    field: 'messages',
    value: {
      metadata: metadata(),
      contacts: [{ profile: { name: 'Ana' }, wa_id: '4915110000031' }],
      messages: [
        { from: '4915110000031', id: 'wamid.f1', timestamp: '1749416383', type: 'text', text: { body: 'Hi' } },
        { from: '4915110000031', id: 'wamid.f2', timestamp: '1', type: 'image', image: { id: '5', caption: 'x' } },
        {
          from_user_id: 'US.1',
          id: 'wamid.f3',
          timestamp: '1',
          type: 'reaction',
          reaction: { message_id: 'wamid.f1' },
        },
        {
          from: '4915110000031',
          id: 'wamid.f4',
          timestamp: '1',
          type: 'contacts',
          contacts: [{ phones: [{ phone: '1' }] }],
        },
        {
          from: '4915110000031',
          id: 'wamid.f5',
          timestamp: '1',
          type: 'location',
          location: { latitude: 1, longitude: 2 },
        },
        {
          from: '4915110000031',
          id: 'wamid.f6',
          type: 'edit',
          edit: { original_message_id: 'wamid.f1', message: { type: 'text' } },
        },
      ],
      statuses: [
        {
          id: 'wamid.s1',
          status: 'failed',
          timestamp: '1',
          biz_opaque_callback_data: 'b',
          errors: [{ code: 131047, title: 'x', error_data: { details: 'y' } }],
        },
        { id: 'wamid.s2', status: 'read', timestamp: '1', pricing: { category: 'utility', billable: true } },
      ],
    },
  },
  { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'X' }] } },
  { field: 'message_template_status_update', value: { event: 'PAUSED', other_info: { title: 'x' } } },
  { field: 'business_capability_update', value: { max_daily_conversations_per_business: 'TIER_2K' } },
  { field: 'user_preferences', value: { user_preferences: [{ wa_id: '1', value: 'stop', timestamp: 1 }] } },
];

const odd = [
  '',
  null,
  0,
  -1,
  1e308,
  true,
  [],
  {},
  [[]],
  '\u0000',
  '\ud800',
  'x'.repeat(70_000),
  '9'.repeat(400),
  { a: null },
];

test('a webhook that names no number that can be stored keeps none that come after it waiting', async () => {
  const scene = await makeScene(app, 0, { hasPhone: false });
  await connect(scene);
  const message = (id: string, body: string) => ({
    from: '4915110000051',
    id,
    timestamp: '1',
    type: 'text',
    text: { body },
  });
  const change = (phone_number_id: string, body: string) => ({
    field: 'messages',
    value: { metadata: { phone_number_id }, messages: [message(`wamid.${body}`, body)] },
  });
  const post = (...changes: object[]) => meta.webhooks.post(JSON.stringify({ entry: [{ id: '1', changes }] }));
  expect(await post(change('\u0000', 'hidden'), change(meta.number.id, 'beside'))).toBe(200);
  expect(await post(change(meta.number.id, 'after'))).toBe(200);
  await expect.poll(() => textsOf(scene)).toEqual(new Set(['beside', 'after']));
});

const change = (messages: readonly object[]) => ({ field: 'messages', value: { metadata: metadata(), messages } });

const said = (person: number, body: string) => ({
  from: String(4915120000000 + person),
  id: `wamid.p${person}.${body.replaceAll(' ', '-')}`,
  timestamp: String(Math.floor(Date.now() / 1000)),
  type: 'text',
  text: { body },
});

const postChanges = (changes: readonly object[]) =>
  meta.webhooks.post(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }));

/** The stored texts, in their order, and by how many transactions they were stored. */
async function stored({ projectId }: Scene): Promise<{ texts: string[]; transactions: number }> {
  const { rows } = await app.ctx.pool.query<{ body: string; transaction: string }>(
    `select body, xmin::text as transaction from messages where project_id = $1 and direction = 'incoming' order by id`,
    [projectId],
  );
  return {
    texts: rows.map(({ body }) => body),
    transactions: new Set(rows.map(({ transaction }) => transaction)).size,
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the messages of a webhook are stored together, in their order and once, and each opens its window', async () => {
  const scene = await makeScene(app, 0, { hasPhone: false });
  await connect(scene);
  const people = numbered(300);
  const changes = people.map((person) => change([said(person, `hello ${person}`)]));
  expect(await postChanges(changes)).toBe(200);
  const texts = people.map((person) => `hello ${person}`);
  await expect.poll(async () => (await stored(scene)).texts, { timeout: 90_000 }).toEqual(texts);
  expect((await stored(scene)).transactions).toBeLessThanOrEqual(3);
  const windows = await app.ctx.pool.query(
    `select 1 from contact_windows where contact_key like '49151200%' and expires_at > now() + interval '23 hours'`,
  );
  expect(windows.rowCount).toBe(300);
  expect(await postChanges([...changes.slice(0, 100), change([said(0, 'again')])])).toBe(200);
  await expect.poll(async () => (await stored(scene)).texts).toEqual([...texts, 'again']);
});

test(
  'a message that cannot be stored, and one that is held up, keep none of those beside them',
  async () => {
    const scene = await makeScene(app, 0, { hasPhone: false });
    await connect(scene);
    const ofOwner = new pg.Client({ connectionString: app.ownerConnectionString });
    await ofOwner.connect();
    onTestFinished(async () => {
      await ofOwner.query('alter table messages drop constraint if exists none_bad');
      await ofOwner.end();
    });
    await ofOwner.query(`alter table messages add constraint none_bad check (body <> 'bad') not valid`);
    const [first, second] = [2000, 2001];
    await postChanges([change([said(first, 'begin')]), change([said(second, 'begin too')])]);
    await expect.poll(async () => (await stored(scene)).texts).toEqual(['begin', 'begin too']);
    const holder = await app.ctx.pool.connect();
    try {
      await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
      const { rowCount } = await holder.query(
        `select from conversations where contact_key = phone_key($1) for update`,
        [said(second, '').from],
      );
      expect(rowCount).toBe(1);
      const others = numbered(20).map((person) => change([said(person + 3000, `word ${person}`)]));
      expect(
        await postChanges([
          ...others.slice(0, 10),
          change([said(first, 'bad')]),
          change([said(second, 'waits')]),
          ...others.slice(10),
        ]),
      ).toBe(200);
      const free = ['begin', 'begin too', ...numbered(20).map((person) => `word ${person}`)];
      await expect.poll(async () => (await stored(scene)).texts, { timeout: 90_000 }).toEqual(free);
      await holder.query('rollback');
      await expect.poll(async () => (await stored(scene)).texts, { timeout: 60_000 }).toEqual([...free, 'waits']);
    } finally {
      holder.release(true);
    }
  },
  longestMs,
);

test('a webhook of more values than a thousand changes have is refused, and one that is nested without end hides none after it', async () => {
  const scene = await officialScene(app, meta);
  const values = (count: number) => `{"entry":[${'0,'.repeat(count - 3)}0]}`;
  expect(await meta.webhooks.post(values(200_001))).toBe(413);
  expect(await meta.webhooks.post(values(200_000))).toBe(200);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(await meta.webhooks.post(`{"entry":[{"id":"1","changes":[{"field":"x","value":{"a":${deep}}}]}]}`)).toBe(200);
  expect(await meta.webhooks.post('x'.repeat(3 * 1024 * 1024 + 1))).toBe(413);
  meta.receiveText('4915110000071', 'after the deep one');
  const projectId = scene.project.id;
  await expect
    .poll(async () => (await scene.api.call(listMessages, { params: { projectId }, query: {} })).body.data)
    .toMatchObject([{ message: 'after the deep one' }]);
});

test('a status whose message is locked waits by itself, and the others are noted', async () => {
  const scene = await officialScene(app, meta);
  const people = ['4915110000061', '4915110000062'];
  for (const from of people) meta.receiveText(from, 'Hello');
  meta.faults.isSilent = true;
  onTestFinished(() => void (meta.faults.isSilent = false));
  const ids: number[] = [];
  for (const to of people) {
    await expect
      .poll(async () => {
        const { status, body } = await scene.send({ to, message: 'Hi' });
        if (status === 200) ids.push(body.id);
        return status;
      })
      .toBe(200);
  }
  const [locked = 0, free = 0] = ids;
  const stateOf = async (messageId: number) =>
    (await scene.api.call(getMessage, { params: { messageId } })).body.status;
  const holder = await app.ctx.pool.connect();
  try {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
    await holder.query('select from messages where id = $1 for update', [locked]);
    for (const message of meta.sent.slice(-2)) meta.tellRead(message);
    await expect.poll(() => stateOf(free)).toBe('read');
    expect(await stateOf(locked)).toBe('sent');
    await holder.query('rollback');
  } finally {
    holder.release(true);
  }
  await expect.poll(() => stateOf(locked)).toBe('read');
});

test(
  'webhooks of any shape are answered with 200, and hide no message beside them',
  async () => {
    const scene = await makeScene(app, 0, { hasPhone: false });
    await connect(scene);
    const { below, chance, pick } = createRandom(seed);
    const mutate = (node: unknown): unknown => {
      if (chance(0.08)) return pick(odd);
      if (Array.isArray(node)) return node.map(mutate);
      if (node === null || typeof node !== 'object') return node;
      return Object.fromEntries(
        Object.entries(node).flatMap(([key, value]) => (chance(0.04) ? [] : [[key, mutate(value)]])),
      );
    };
    const expected: string[] = [];
    const answers = new Set<number>();
    for (let index = 0; index < webhooks; index += 1) {
      const body = `neighbour ${index}`;
      const good = {
        field: 'messages',
        value: {
          metadata: metadata(),
          messages: [{ from: '4915110000041', id: `wamid.n${index}`, timestamp: '1', type: 'text', text: { body } }],
        },
      };
      const changes = [mutate(pick(samples())), good, mutate(pick(samples()))];
      const text = JSON.stringify({
        object: mutate('whatsapp'),
        entry: [mutate({ id: '1', changes: [] }), { id: '1', changes }],
      });
      const isCut = chance(0.05);
      if (!isCut) expected.push(body);
      answers.add(await meta.webhooks.post(isCut ? text.slice(0, below(text.length)) : text));
    }
    expect([...answers]).toEqual([200]);
    await expect
      .poll(
        async () =>
          (await app.ctx.pool.query('select count(*)::int as n from cloud_webhooks where rest is null')).rows[0],
        {
          timeout: 20_000 + webhooks * 100,
        },
      )
      .toEqual({ n: 0 });
    const texts = await textsOf(scene);
    expect(expected.filter((text) => !texts.has(text))).toEqual([]);
  },
  longestMs,
);
