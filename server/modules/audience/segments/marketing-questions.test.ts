import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { trackBatch } from '#contracts/events.ts';
import { listFields, putField } from '#contracts/fields.ts';
import type { FieldType } from '#contracts/field-types.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { createSegment, explainSegment, previewSegment } from '#contracts/segments.ts';
import { createTopic, putNumberTopics } from '#contracts/topics.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, makeScene } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { patience } from '#tests/support/patience.ts';

let app: TestApplication;
let scene: Scene;
const ids = { campaign: 0, topic: 0, vips: 0 };
const profiles = new Map<string, number>();

const dayMs = 86_400_000;
const now = new Date();
const at = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
const day = (days: number) => at(days).slice(0, 10);
/** As a day of birth, that many days from now. */
const born = (days: number, year = 1990) => `${year}-${day(days).slice(5).replace('02-29', '02-28')}`;

const people: (Partial<NewProfile> & { name: string })[] = [
  {
    name: 'Ana',
    phone: '34613300101',
    language: 'es',
    email: 'ana@example.com',
    tags: ['vip'],
    custom_fields: {
      birthday: born(3),
      plan: 'pro',
      spent: '120.50',
      interests: ['Shoes', 'hats'],
      trial_ends: at(2),
      seen: at(-1),
      newsletter: 'yes',
    },
  },
  {
    name: 'Ben',
    phone: '4915123456702',
    language: 'de',
    tags: ['staff', 'vip'],
    custom_fields: {
      birthday: born(20),
      plan: 'Team',
      spent: 30,
      interests: 'bags, shoes',
      seen: at(-100),
      newsletter: 'no',
    },
  },
  {
    name: 'Cleo',
    phone: '34613300103',
    language: 'pt-BR',
    custom_fields: { birthday: 'unknown', plan: 'free', spent: 'a lot', trial_ends: at(10), seen: at(-30) },
  },
  // The sandbox never delivers to this number.
  { name: 'Dan', phone: '14155550001', email: 'dan@example.com', custom_fields: { birthday: born(-1), spent: 0 } },
];

const types: Record<string, FieldType> = {
  birthday: 'date',
  trial_ends: 'date',
  seen: 'date',
  spent: 'number',
  interests: 'list',
  newsletter: 'boolean',
};

const order = (phone: string, days: number, total: number) => ({
  phone: `+${phone}`,
  event: 'Order placed',
  timestamp: at(days),
  properties: { total },
});

beforeAll(async () => {
  app = await startTestApplication();
  scene = await makeScene(app, people);
  const { api } = scene.customer;
  for (const [key, type] of Object.entries(types)) {
    await api.call(putField, { params: { path: `custom_fields.${key}` }, body: { type } });
  }
  const events = [
    order('34613300101', -3, 80),
    order('34613300101', -20, 60),
    order('4915123456702', -5, 90),
    order('4915123456702', -10, 40),
    order('34613300103', -70, 55),
    { phone: '+14155550001', event: 'Product viewed', timestamp: at(-2), properties: { sku: 'FERN-02' } },
    { phone: '+34613300101', event: 'Product viewed', timestamp: at(-4), properties: { sku: 'FERN-02' } },
  ];
  expect((await api.call(trackBatch, { body: { events } })).body.data.every(({ error }) => !error)).toBe(true);
  ids.topic = (await api.call(createTopic, { body: { name: 'News' } })).body.id;
  const topics = [{ topic_id: ids.topic, state: 'opted_in' as const }];
  await api.call(putNumberTopics, { params: { phone: '+34613300101' }, body: { topics, note: 'Asked at the desk' } });
  const vip: Expression = { field: 'tags', op: 'includes', value: 'vip' };
  ids.vips = (await api.call(createSegment, { body: { name: 'VIP', expression: vip } })).body.id;
  const campaign = await create(scene);
  ids.campaign = campaign.id;
  const readers = `select count(*)::int as count from messages where campaign_id = $1 and status = 'read'`;
  await vi.waitFor(async () => {
    const { rows } = await app.ctx.pool.query<{ count: number }>(readers, [campaign.id]);
    expect([rows[0]?.count, (await get(scene, campaign)).status]).toEqual([people.length - 1, 'completed']);
  }, patience);
  const { body } = await api.call(previewSegment, { body: { expression: { field: 'phone', op: 'exists' } } });
  for (const { name, id } of body.sample) profiles.set(name ?? '', id);
});

afterAll(() => app[Symbol.asyncDispose]());

const field = (key: string) => `custom_fields.${key}`;
const ordered = (times: object, more: object = {}) => ({ event: 'Order placed', times, ...more });
const none = { op: '<', n: 1 };
const lastDays = (last: number) => ({ window: { last, unit: 'days' } });

const questions: [string, () => object, string[]][] = [
  [
    'had a birthday in the next 7 days',
    () => ({ field: field('birthday'), op: 'anniversary_in', n: 7, unit: 'days' }),
    ['Ana'],
  ],
  [
    'has no birthday in the next 7 days, as far as the date can be read',
    () => ({ not: { field: field('birthday'), op: 'anniversary_in', n: 7, unit: 'days' } }),
    ['Ben', 'Dan'],
  ],
  [
    'ordered twice in 30 days over 50',
    () => ordered({ op: '>=', n: 2 }, { ...lastDays(30), where: [{ field: 'properties.total', op: 'gt', value: 50 }] }),
    ['Ana'],
  ],
  ['ordered twice in 30 days', () => ordered({ op: '>=', n: 2 }, lastDays(30)), ['Ana', 'Ben']],
  ['placed no order for 60 days', () => ordered(none, lastDays(60)), ['Cleo', 'Dan']],
  ['never ordered', () => ordered({ op: '=', n: 0 }), ['Dan']],
  [
    'ordered before, but not for 60 days',
    () => ({ all: [ordered({ op: '>=', n: 1 }), ordered(none, lastDays(60))] }),
    ['Cleo'],
  ],
  [
    'viewed a product and did not order',
    () => ({ all: [{ event: 'Product viewed' }, { not: { event: 'Order placed' } }] }),
    ['Dan'],
  ],
  [
    'did not read the last campaign',
    () => ({ message: { of: 'campaign', last: true }, state: 'read', not: true }),
    ['Dan'],
  ],
  [
    'read that campaign',
    () => ({ message: { of: 'campaign', id: ids.campaign }, state: 'read' }),
    ['Ana', 'Ben', 'Cleo'],
  ],
  [
    'got a message in the last week and opened no link',
    () => ({ all: [{ event: '$message.delivered', ...lastDays(7) }, { not: { event: '$message.clicked' } }] }),
    ['Ana', 'Ben', 'Cleo'],
  ],
  [
    'is a VIP in Spain',
    () => ({
      all: [
        { field: 'country_code', op: 'equals', value: 'ES' },
        { field: 'tags', op: 'includes', value: 'vip' },
      ],
    }),
    ['Ana'],
  ],
  [
    'is in the segment of VIPs and no staff',
    () => ({ all: [{ segment: ids.vips }, { not: { field: 'tags', op: 'includes', value: 'staff' } }] }),
    ['Ana'],
  ],
  ['is on Pro or Team', () => ({ field: field('plan'), op: 'in', value: ['Pro', 'Team'] }), ['Ana', 'Ben']],
  ['spent more than 100', () => ({ field: field('spent'), op: 'gt', value: 100 }), ['Ana']],
  ['spent between 1 and 50', () => ({ field: field('spent'), op: 'between', value: [1, 50] }), ['Ben']],
  ['did not spend more than 100', () => ({ not: { field: field('spent'), op: 'gt', value: 100 } }), ['Ben', 'Dan']],
  ['is interested in shoes', () => ({ field: field('interests'), op: 'includes', value: 'shoes' }), ['Ana', 'Ben']],
  [
    'has a trial that ends in 3 days',
    () => ({ field: field('trial_ends'), op: 'within_next', n: 3, unit: 'days' }),
    ['Ana'],
  ],
  ['was not seen for 90 days', () => ({ field: field('seen'), op: 'more_than_ago', n: 90, unit: 'days' }), ['Ben']],
  ['said yes to the newsletter', () => ({ field: field('newsletter'), op: 'equals', value: true }), ['Ana']],
  ['opted in to the news', () => ({ topic: ids.topic, state: 'opted_in' }), ['Ana']],
  ['speaks Portuguese', () => ({ field: 'language', op: 'starts', value: 'pt' }), ['Cleo']],
  ['has no email address', () => ({ not: { field: 'email', op: 'exists' } }), ['Ben', 'Cleo']],
];

async function namesOf(expression: Expression): Promise<string[]> {
  const { body } = await scene.customer.api.call(previewSegment, { body: { expression } });
  return body.sample.map(({ name }) => name ?? '').toSorted();
}

async function explainedNames(expression: Expression): Promise<string[]> {
  const matching: string[] = [];
  for (const [name, profileId] of profiles) {
    const body = { expression, profile_id: profileId };
    if ((await scene.customer.api.call(explainSegment, { body })).body.matches) matching.push(name);
  }
  return matching.toSorted();
}

test.each(questions)('a question of marketing: %s', async (_question, ask, expected) => {
  const expression = ask() as Expression;
  expect([await namesOf(expression), await explainedNames(expression)]).toEqual([expected, expected]);
});

test('they are answered the same once the fields are indexed', async () => {
  await expect
    .poll(async () => (await scene.customer.api.call(listFields)).body.data.every(({ state }) => state !== 'building'))
    .toBe(true);
  for (const [question, ask, expected] of questions) {
    expect([question, await namesOf(ask() as Expression)]).toEqual([question, expected]);
  }
});

test('a hold-out of a tenth and the others are everybody, and nobody twice', async () => {
  const bucket = (from: number, to: number): Expression => ({ bucket: { of: 10, from, to, salt: 'spring' } });
  const both = [...(await namesOf(bucket(0, 1))), ...(await namesOf(bucket(1, 10)))];
  expect(both.toSorted()).toEqual(['Ana', 'Ben', 'Cleo', 'Dan']);
});
