import { afterAll, beforeAll, expect, test } from 'vitest';
import { trackBatch } from '#contracts/events.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment, explainSegment, listProfileSegments, previewSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let app: TestApplication;
let owner: Customer;
const ids: Record<string, number> = {};

const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs).toISOString();
const day = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();

type Told = [name: string, daysAgo: number, properties?: Record<string, unknown>];
const shop: Record<string, { fields: object; events: Told[] }> = {
  Ada: {
    fields: {
      email: 'ada@example.com',
      country_code: 'ES',
      custom_fields: { birthday: `1990-${day(3).slice(5, 10)}` },
    },
    events: [
      ['Order placed', 3, { total: 80, currency: 'EUR', items: ['lamp', 'bulb'], shipping: { carrier: 'CTT' } }],
      ['Order placed', 20, { total: 60, currency: 'EUR', voucher: 'SPRING' }],
      ['Product viewed', 0.1, { sku: 'FERN-02' }],
    ],
  },
  Ben: {
    fields: { country_code: 'ES', tags: ['vip'] },
    events: [
      ['Order placed', 75, { total: 120, currency: 'GBP' }],
      ['Product viewed', 2, { sku: 'LAMP-11' }],
      ['Product viewed', 1, { sku: 'LAMP-11' }],
    ],
  },
  Cleo: {
    fields: { country_code: 'PT' },
    events: [
      ['Basket left', 2, { total: 45 }],
      ['Order placed', 40, { total: 'much' }],
      ['Signed up', 41],
    ],
  },
  Dan: { fields: { country_code: 'PT' }, events: [] },
};

beforeAll(async () => {
  app = await startTestApplication({ clock });
  owner = await signUpSubscriber(app.url);
  for (const [index, [name, { fields, events }]] of Object.entries(shop).entries()) {
    const body = { phone: `141555530${10 + index}`, name, ...fields };
    const { id } = (await owner.api.call(createProfile, { body })).body;
    ids[name] = id;
    if (events.length === 0) continue;
    const lines = events.map(([event, days, properties = {}]) => ({
      profile_id: id,
      event,
      properties,
      timestamp: ago(days),
    }));
    const told = await owner.api.call(trackBatch, { body: { events: lines } });
    expect(told.body.data.every(({ status }) => status === 'accepted')).toBe(true);
  }
});
afterAll(() => app[Symbol.asyncDispose]());

const find = async (expression: Expression) => {
  const { body } = await owner.api.call(previewSegment, { body: { expression } });
  return body.sample.map(({ name }) => name ?? '').toSorted();
};

const ordered = { event: 'Order placed', times: { op: '>=', n: 1 } } as const;
const last = (n: number, unit: 'days' | 'hours' = 'days') => ({ last: n, unit }) as const;
const isOver = (value: number) => ({ field: 'properties.total', op: 'gt', value }) as const;

test.each<[string, Expression, string[]]>([
  ['ordered at all', ordered, ['Ada', 'Ben', 'Cleo']],
  ['never ordered', { not: ordered }, ['Dan']],
  ['ordered in the last 7 days', { ...ordered, window: last(7) }, ['Ada']],
  ['no order for 60 days', { not: { ...ordered, window: last(60) } }, ['Ben', 'Dan']],
  ['ordered before, not for 60 days', { all: [ordered, { not: { ...ordered, window: last(60) } }] }, ['Ben']],
  ['ordered twice in 30 days', { ...ordered, times: { op: '>=', n: 2 }, window: last(30) }, ['Ada']],
  [
    'ordered twice in 30 days over 50',
    { ...ordered, times: { op: '>=', n: 2 }, window: last(30), where: [isOver(50)] },
    ['Ada'],
  ],
  ['ordered exactly once', { ...ordered, times: { op: '=', n: 1 } }, ['Ben', 'Cleo']],
  ['looked at nothing', { event: 'Product viewed', times: { op: '=', n: 0 } }, ['Cleo', 'Dan']],
  ['looked less than twice', { event: 'Product viewed', times: { op: '<', n: 2 } }, ['Ada', 'Cleo', 'Dan']],
  [
    'left a basket and did not order since',
    { all: [{ event: 'Basket left', times: { op: '>=', n: 1 } }, { not: { ...ordered, window: last(2) } }] },
    ['Cleo'],
  ],
  [
    'ordered over 100 pounds',
    { ...ordered, where: [isOver(100), { field: 'properties.currency', op: 'equals', value: 'gbp' }] },
    ['Ben'],
  ],
  ['ordered a lamp', { ...ordered, where: [{ field: 'properties.items', op: 'includes', value: 'Lamp' }] }, ['Ada']],
  ['used a voucher', { ...ordered, where: [{ field: 'properties.voucher', op: 'exists' }] }, ['Ada']],
  [
    'sent by CTT',
    { ...ordered, where: [{ field: 'properties.shipping.carrier', op: 'in', value: ['ctt', 'dhl'] }] },
    ['Ada'],
  ],
  [
    'looked at LAMP-11 today or yesterday',
    {
      event: 'Product viewed',
      times: { op: '>=', n: 1 },
      window: last(36, 'hours'),
      where: [{ field: 'properties.sku', op: 'starts', value: 'lamp' }],
    },
    ['Ben'],
  ],
  [
    'VIPs in Spain who ordered',
    {
      all: [
        { field: 'tags', op: 'includes', value: 'vip' },
        { field: 'country_code', op: 'equals', value: 'ES' },
        ordered,
      ],
    },
    ['Ben'],
  ],
  [
    'birthday in 7 days, and ordered over 50',
    {
      all: [
        { field: 'custom_fields.birthday', op: 'anniversary_in', n: 7, unit: 'days' },
        { ...ordered, where: [isOver(50)] },
      ],
    },
    ['Ada'],
  ],
  [
    'cheap or foreign orders',
    {
      ...ordered,
      where: [{ any: [{ not: isOver(70) }, { field: 'properties.currency', op: 'equals', value: 'GBP' }] }],
    },
    ['Ada', 'Ben'],
  ],
  ['read no message', { not: { event: '$message.read', times: { op: '>=', n: 1 } } }, ['Ada', 'Ben', 'Cleo', 'Dan']],
])('%s', async (_question, expression, names) => {
  expect(await find(expression)).toEqual(names);
});

test('between two dates, both of them moments', async () => {
  const window = { from: ago(50), to: ago(10) };
  expect(await find({ ...ordered, window })).toEqual(['Ada', 'Cleo']);
  expect(await find({ ...ordered, window: { from: ago(20), to: ago(3) } })).toEqual(['Ada']);
  expect(await find({ ...ordered, window: { from: ago(19.9), to: ago(3) } })).toEqual([]);
});

test('a total that is no number matches neither way, and is counted', async () => {
  const over: Expression = { ...ordered, where: [isOver(50)] };
  expect(await find(over)).toEqual(['Ada', 'Ben']);
  expect(await find({ not: over })).toEqual(['Dan']);
  const { body } = await owner.api.call(previewSegment, { body: { expression: { all: [over] } } });
  expect(body).toMatchObject({ count: 2, total: 4 });
  expect(body.lines).toContainEqual({ path: 'expression.all.0', count: 2, unreadable: 1, is_estimate: false });
});

test('explain says how often, also where that is not known', async () => {
  const explain = async (name: string, expression: Expression) =>
    (await owner.api.call(explainSegment, { body: { expression, profile_id: ids[name] ?? 0 } })).body;
  expect(await explain('Ada', { all: [ordered] })).toEqual({
    matches: true,
    tree: { all: [{ ...ordered, matches: true, value: 2 }], matches: true },
  });
  const over: Expression = { ...ordered, where: [isOver(50)] };
  expect(await explain('Cleo', over)).toMatchObject({ matches: false, tree: { matches: null, value: '0 to 1' } });
});

test('a segment of events has its members, and is one of a profile’s segments', async () => {
  const body = { name: 'Buyers', expression: { event: 'Order placed', window: last(30) } };
  const { body: segment } = await owner.api.call(createSegment, { body });
  expect(segment.expression).toEqual({ ...ordered, window: last(30) });
  const own = async (name: string) =>
    (await owner.api.call(listProfileSegments, { params: { profileId: ids[name] ?? 0 } })).body.data.map(
      ({ id }) => id,
    );
  expect(await own('Ada')).toEqual([segment.id]);
  expect(await own('Ben')).toEqual([]);
});

test.each<[string, object, string]>([
  ['a name of messages that there is not', { event: '$message.liked' }, 'expression.event'],
  ['how often, below one', { event: 'A', times: { op: '>=', n: 0 } }, 'expression.times.n'],
  ['another operator', { event: 'A', times: { op: '>', n: 1 } }, 'expression.times.op'],
  ['a field of a profile', { event: 'A', where: [{ field: 'name', op: 'exists' }] }, 'expression.where.0.field'],
  ['an event in it', { event: 'A', where: [{ event: 'B' }] }, 'expression.where.0'],
  ['dates in the wrong order', { event: 'A', window: { from: ago(1), to: ago(2) } }, 'expression.window.to'],
  [
    'a wrong value',
    { event: 'A', where: [{ field: 'properties.a', op: 'gt', value: 'x' }] },
    'expression.where.0.value',
  ],
  ['an unknown name', { event: 'A', tims: 1 }, 'expression.tims'],
])('refused: %s', async (_name, expression, path) => {
  const { status, body } = await owner.api.refuse(previewSegment, {
    body: { expression },
  });
  expect({ status, errors: body.errors?.map((each) => each.path) }).toEqual({ status: 422, errors: [path] });
});
