import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import {
  createSegment,
  deleteSegment,
  explainSegment,
  getSegment,
  listProfileSegments,
  listSegmentMembers,
  previewSegment,
  previewSegmentCount,
  updateSegment,
} from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;
let now = new Date();

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => now } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const dayMs = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const day = (days: number) => daysFromNow(days).slice(0, 10);

type Given = {
  name?: string;
  email?: string;
  tags?: string[];
  country_code?: string;
  custom_fields?: Record<string, unknown>;
};

/** Ada, Ben, Cleo and Dan of a shop. */
const shop: Given[] = [
  {
    name: 'Ada',
    email: 'ada@example.com',
    tags: ['vip'],
    country_code: 'ES',
    custom_fields: {
      city: ' MADRID ',
      orders: 7,
      spent: '230.50',
      last_order: day(-10),
      birthday: `1990-${day(3).slice(5)}`,
      interests: ['Shoes', 'bags'],
      trial_ends_at: daysFromNow(2),
      plan: { name: 'Pro', seats: 12 },
    },
  },
  {
    name: 'Ben',
    tags: ['beta', 'vip'],
    country_code: 'US',
    custom_fields: {
      city: 'Boston',
      orders: '2',
      spent: 12,
      last_order: day(-90),
      birthday: `1985-${day(40).slice(5)}`,
      trial_ends_at: daysFromNow(-1),
      plan: { name: 'Free', seats: 1 },
    },
  },
  {
    name: 'Cleo',
    email: 'cleo@shop.test',
    country_code: 'ES',
    custom_fields: {
      city: 'Madrid',
      orders: 'many',
      spent: 'unknown',
      last_order: 'soon',
      plan: { name: 'pro', seats: 3 },
    },
  },
  { name: 'Dan', country_code: 'US', custom_fields: { interests: ['shoes'] } },
];
const names = shop.map(({ name }) => name ?? '');

async function ownShop(): Promise<{ customer: Customer; ids: number[] }> {
  const customer = await signUpSubscriber(app.url);
  const ids: number[] = [];
  for (const [index, each] of shop.entries()) {
    const phone = each.country_code === 'ES' ? `+3461234567${index}` : `+1415555010${index}`;
    ids.push((await customer.api.call(createProfile, { body: { ...each, phone } })).body.id);
  }
  return { customer, ids };
}

const field = (path: string) => `custom_fields.${path}`;

const questions: [string, Expression, string[]][] = [
  [
    'had no order for 60 days, or none at all',
    { not: { field: field('last_order'), op: 'within_last', n: 60, unit: 'days' } },
    ['Ben', 'Dan'],
  ],
  [
    'last ordered more than 60 days ago',
    { field: field('last_order'), op: 'more_than_ago', n: 60, unit: 'days' },
    ['Ben'],
  ],
  ['ordered in the last two weeks', { field: field('last_order'), op: 'within_last', n: 2, unit: 'weeks' }, ['Ada']],
  [
    'has a birthday in the next 7 days',
    { field: field('birthday'), op: 'anniversary_in', n: 7, unit: 'days' },
    ['Ada'],
  ],
  [
    'has no birthday in the next 7 days',
    { not: { field: field('birthday'), op: 'anniversary_in', n: 7, unit: 'days' } },
    ['Ben', 'Cleo', 'Dan'],
  ],
  ['trial ends in the next 3 days', { field: field('trial_ends_at'), op: 'within_next', n: 3, unit: 'days' }, ['Ada']],
  ['spent over 50', { field: field('spent'), op: 'gt', value: 50 }, ['Ada']],
  [
    'spent 50 or less, as far as it can be read',
    { not: { field: field('spent'), op: 'gt', value: 50 } },
    ['Ben', 'Dan'],
  ],
  ['ordered two to five times', { field: field('orders'), op: 'between', value: [2, 5] }, ['Ben']],
  ['lives in Madrid, however it is written', { field: field('city'), op: 'equals', value: 'madrid' }, ['Ada', 'Cleo']],
  [
    'lives in Madrid or Boston',
    { field: field('city'), op: 'in', value: ['Madrid', 'BOSTON'] },
    ['Ada', 'Ben', 'Cleo'],
  ],
  ['likes shoes', { field: field('interests'), op: 'includes', value: 'SHOES' }, ['Ada', 'Dan']],
  ['has an address at example.com', { field: 'email', op: 'contains', value: '@EXAMPLE.com' }, ['Ada']],
  ['has no e-mail address', { not: { field: 'email', op: 'exists' } }, ['Ben', 'Dan']],
  ['has a Spanish number', { field: 'phone', op: 'starts', value: '+34' }, ['Ada', 'Cleo']],
  [
    'VIP in Spain',
    {
      all: [
        { field: 'tags', op: 'includes', value: 'VIP' },
        { field: 'country_code', op: 'equals', value: 'es' },
      ],
    },
    ['Ada'],
  ],
  [
    'VIP, but not of the beta',
    { all: [{ field: 'tags', op: 'equals', value: 'vip' }, { not: { field: 'tags', op: 'equals', value: 'beta' } }] },
    ['Ada'],
  ],
  [
    'on the Pro plan with more than 5 seats, or ordered 5 times',
    {
      any: [
        {
          all: [
            { field: field('plan.name'), op: 'equals', value: 'pro' },
            { field: field('plan.seats'), op: 'gt', value: 5 },
          ],
        },
        { field: field('orders'), op: 'gt', value: '4' },
      ],
    },
    ['Ada'],
  ],
  ['joined in the last hour', { field: 'created_at', op: 'within_last', n: 1, unit: 'hours' }, names],
  ['was never sent a campaign', { not: { message: { of: 'campaign' }, state: 'sent' } }, names],
];

test('twenty questions that marketing asks find whom they mean, in SQL and one by one', async () => {
  expect(questions).toHaveLength(20);
  now = new Date();
  const { customer, ids } = await ownShop();
  now = new Date(Date.now() + 1000);
  for (const [question, expression, expected] of questions) {
    const { body } = await customer.api.call(previewSegment, { body: { expression } });
    const sample = body.sample.map(({ name }) => name ?? '').toSorted();
    expect({ question, sample, count: body.count }).toEqual({ question, sample: expected, count: expected.length });
    const matching: string[] = [];
    for (const [index, id] of ids.entries()) {
      const explained = await customer.api.call(explainSegment, { body: { expression, profile_id: id } });
      if (explained.body.matches) matching.push(names[index] ?? '');
    }
    expect({ question, matching }).toEqual({ question, matching: expected });
  }
});

test('a preview counts every part, and whose value cannot be read', async () => {
  const { customer } = await ownShop();
  const expression: Expression = {
    all: [
      { not: { field: field('orders'), op: 'gt', value: 5 } },
      { field: 'country_code', op: 'equals', value: 'US' },
    ],
  };
  const { body } = await customer.api.call(previewSegment, { body: { expression } });
  expect(body).toMatchObject({ count: 2, total: 4, served_by: 'scan' });
  expect(body.lines).toEqual([
    { path: 'expression', count: 2, unreadable: 0, is_estimate: false },
    { path: 'expression.all.0', count: 2, unreadable: 1, is_estimate: false },
    { path: 'expression.all.0.not', count: 1, unreadable: 1, is_estimate: false },
    { path: 'expression.all.1', count: 2, unreadable: 0, is_estimate: false },
  ]);
});

test('an explanation says of each part whether it holds, and what the profile has there', async () => {
  const { customer, ids } = await ownShop();
  const expression: Expression = {
    any: [
      { not: { field: field('orders'), op: 'gt', value: 5 } },
      { field: field('city'), op: 'equals', value: 'Madrid' },
    ],
  };
  const { body } = await customer.api.call(explainSegment, { body: { expression, profile_id: ids[2] ?? 0 } });
  expect(body).toEqual({
    matches: true,
    tree: {
      any: [
        { not: { field: field('orders'), op: 'gt', matches: null, value: 'many' }, matches: null },
        { field: field('city'), op: 'equals', value: 'Madrid', matches: true },
      ],
      matches: true,
    },
  });
  const strange = await customer.api.refuse(explainSegment, { body: { expression, profile_id: 999_999 } });
  expect(strange.status).toBe(404);
});

test('a segment of an expression has no condition, and one of a condition has an expression too', async () => {
  const { customer, ids } = await ownShop();
  const expression: Expression = { all: [{ field: 'tags', op: 'includes', value: 'vip' }] };
  const { body: vip } = await customer.api.call(createSegment, { body: { name: 'VIP', expression } });
  expect(vip).toMatchObject({ name: 'VIP', condition: null, expression });
  const params = { segmentId: vip.id };
  expect(
    (await customer.api.call(listSegmentMembers, { params, query: {} })).body.data.map(({ name }) => name),
  ).toEqual(['Ben', 'Ada']);
  const condition = { fieldPath: 'country_code', operator: 'not_equals' as const, value: 'ES' };
  const { body: abroad } = await customer.api.call(createSegment, { body: { name: 'Abroad', condition } });
  expect(abroad).toMatchObject({
    condition,
    expression: { not: { field: 'country_code', op: 'equals', value: 'ES' } },
  });
  const { body: own } = await customer.api.call(listProfileSegments, { params: { profileId: ids[1] ?? 0 } });
  expect(own.data.map(({ name }) => name)).toEqual(['Abroad', 'VIP']);

  // An answer can be sent back, and each kind can become the other.
  expect(
    (
      await customer.api.call(updateSegment, {
        params: { segmentId: abroad.id },
        body: { ...abroad, name: 'Far' },
      })
    ).body,
  ).toMatchObject({ name: 'Far', condition });
  expect((await customer.api.call(updateSegment, { params, body: { condition } })).body.condition).toEqual(condition);
  expect((await customer.api.call(updateSegment, { params, body: { expression } })).body).toMatchObject({
    condition: null,
    expression,
  });
  expect((await customer.api.call(getSegment, { params })).body.condition).toBeNull();
});

test('segments are made of segments, never of themselves, and not deleted under each other', async () => {
  const { customer } = await ownShop();
  const make = async (name: string, expression: Expression) =>
    (await customer.api.call(createSegment, { body: { name, expression } })).body;
  const vip = await make('VIP', { field: 'tags', op: 'includes', value: 'vip' });
  const spain = await make('Spain', { field: 'country_code', op: 'equals', value: 'ES' });
  const both = await make('VIP in Spain', { all: [{ segment: vip.id }, { segment: spain.id }] });
  const count = async (id: number) =>
    (await customer.api.call(listSegmentMembers, { params: { segmentId: id }, query: {} })).body.count;
  expect(await count(both.id)).toBe(1);
  await customer.api.call(updateSegment, {
    params: { segmentId: spain.id },
    body: { expression: { field: 'country_code', op: 'equals', value: 'US' } },
  });
  expect(
    (await customer.api.call(listSegmentMembers, { params: { segmentId: both.id }, query: {} })).body.data.map(
      ({ name }) => name,
    ),
  ).toEqual(['Ben']);

  const circle = await customer.api.refuse(updateSegment, {
    params: { segmentId: vip.id },
    body: { expression: { any: [{ segment: both.id }] } },
  });
  expect(circle.body.errors).toEqual([
    { path: 'expression.any.0.segment', message: 'This segment would be made of itself' },
  ]);
  const stranger = await ownShop();
  const foreign = await stranger.customer.api.refuse(createSegment, {
    body: { name: 'Theirs', expression: { segment: vip.id } },
  });
  expect(foreign.body.errors).toEqual([
    { path: 'expression.segment', message: `There is no segment ${vip.id}: choose another one` },
  ]);
  const used = await customer.api.refuse(deleteSegment, { params: { segmentId: vip.id } });
  expect([used.status, used.body.code]).toEqual([409, 'segment_in_use']);
  await customer.api.call(deleteSegment, { params: { segmentId: both.id } });
  await customer.api.call(deleteSegment, { params: { segmentId: vip.id } });
});

test('segments that are changed at once do not come to be made of each other', async () => {
  const { customer } = await ownShop();
  const make = async (name: string) =>
    (await customer.api.call(createSegment, { body: { name, expression: { field: 'name', op: 'exists' } } })).body.id;
  for (let round = 0; round < 5; round += 1) {
    const [first, second] = [await make('First'), await make('Second')];
    const change = (segmentId: number, of: number) =>
      customer.api.call(updateSegment, { params: { segmentId }, body: { expression: { segment: of } } });
    const answers = await Promise.allSettled([change(first, second), change(second, first)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [refused] = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    expect(refused).toContain('This segment would be made of itself');
  }
});

test('a segment that another is made of meanwhile is not deleted', async () => {
  const { customer } = await ownShop();
  const make = async (expression: Expression) =>
    (await customer.api.call(createSegment, { body: { name: 'Segment', expression } })).body.id;
  for (let round = 0; round < 5; round += 1) {
    const used = await make({ field: 'name', op: 'exists' });
    const changed = await make({ field: 'email', op: 'exists' });
    const body = { name: 'Made of it', expression: { segment: used } };
    const [created, updated, deleted] = await Promise.allSettled([
      customer.api.call(createSegment, { body }),
      customer.api.call(updateSegment, { params: { segmentId: changed }, body }),
      customer.api.call(deleteSegment, { params: { segmentId: used } }),
    ]);
    const isNamed = created.status === 'fulfilled' || updated.status === 'fulfilled';
    expect(deleted.status).toBe(isNamed ? 'rejected' : 'fulfilled');
  }
});

const deep = (depth: number): unknown => (depth === 0 ? { field: 'name', op: 'exists' } : { all: [deep(depth - 1)] });

test.each<[string, unknown, string]>([
  ['no object', 'all', 'expression'],
  ['nothing in it', {}, 'expression'],
  ['two kinds', { all: [{ field: 'name', op: 'exists' }], any: [] }, 'expression'],
  ['an empty group', { any: [] }, 'expression.any'],
  ['an unknown operator', { all: [{ field: 'name', op: 'like', value: 'x' }] }, 'expression.all.0.op'],
  ['an unknown field', { all: [{ field: 'surname', op: 'exists' }] }, 'expression.all.0.field'],
  ['a field that no profile has', { not: { field: 'custom_fields.nowhere', op: 'exists' } }, 'expression.not.field'],
  ['no number', { field: 'custom_fields.orders', op: 'gt', value: 'many' }, 'expression.value'],
  [
    'a number and a time',
    { field: 'custom_fields.orders', op: 'between', value: [1, '2026-01-01'] },
    'expression.value',
  ],
  ['the higher one first', { field: 'custom_fields.orders', op: 'between', value: [5, 1] }, 'expression.value'],
  [
    'the later one first',
    { field: 'created_at', op: 'between', value: ['2026-02-01', '2026-01-01'] },
    'expression.value',
  ],
  ['text of a time column', { field: 'created_at', op: 'contains', value: '2026' }, 'expression.op'],
  ['no whole number', { field: 'created_at', op: 'within_last', n: 1.5, unit: 'days' }, 'expression.n'],
  ['more than a hundred years', { field: 'created_at', op: 'within_last', n: 2000, unit: 'months' }, 'expression.n'],
  ['a bucket that ends before it begins', { bucket: { of: 100, from: 10, to: 10, salt: '' } }, 'expression.bucket.to'],
  ['a message of any with an id', { message: { of: 'any', id: 1 }, state: 'read' }, 'expression.message.of'],
  ['a misspelt name', { all: [{ field: 'name', op: 'equals', vlaue: 'x', value: 'x' }] }, 'expression.all.0.vlaue'],
  ['six groups deep', deep(6), `expression${'.all.0'.repeat(5)}`],
  ['51 conditions', { all: Array.from({ length: 51 }, () => ({ field: 'name', op: 'exists' })) }, 'expression.all.50'],
])('%s is a 422 that names the place', async (_name, expression, path) => {
  const { customer } = await ownShop();
  const refused = await customer.api.refuse(createSegment, {
    body: { name: 'Some', expression },
  });
  expect([refused.status, refused.body.errors?.map((error) => error.path)]).toEqual([422, [path]]);
});

test('a segment that is not there is named in a preview and an explanation, and bounds the wrong way round are put right', async () => {
  const { customer, ids } = await ownShop();
  const nobody: Expression = { any: [{ field: 'name', op: 'exists' }, { segment: 4711 }] };
  const errors = [{ path: 'expression.any.1.segment', message: 'There is no segment 4711: choose another one' }];
  const body = { expression: nobody };
  expect((await customer.api.refuse(previewSegment, { body })).body.errors).toEqual(errors);
  const explained = { ...body, profile_id: ids[0] ?? 0 };
  expect((await customer.api.refuse(explainSegment, { body: explained })).body.errors).toEqual(errors);
  const turned: Expression = { field: 'custom_fields.orders', op: 'between', value: ['5', '1'] };
  const refused = await customer.api.refuse(previewSegment, { body: { expression: turned } });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ path: 'expression.value', message: 'Enter the lower one first: ["1","5"]' }],
  ]);
});

test('neither, or both, of a condition and an expression are a 422', async () => {
  const { customer } = await ownShop();
  const neither = await customer.api.refuse(createSegment, { body: { name: 'Some' } });
  expect(neither.body.errors?.map(({ path }) => path)).toEqual(['condition']);
  const condition = { fieldPath: 'name', operator: 'exists' as const, value: '' };
  const both = await customer.api.refuse(createSegment, {
    body: { name: 'Some', condition, expression: { field: 'name', op: 'exists' } },
  });
  expect(both.body.errors?.map(({ path }) => path)).toEqual(['expression']);
});

test('explaining a list of values shows the value that was looked at', async () => {
  const { customer, ids } = await ownShop();
  const expression: Expression = { field: 'tags', op: 'in', value: ['vip'] };
  const { body } = await customer.api.call(explainSegment, { body: { expression, profile_id: ids[0] ?? 0 } });
  expect(body.tree).toEqual({ ...expression, matches: true, value: ['vip'] });
});

test('language, time zone and external id are conditions, whoever asks for them', async () => {
  const { customer, ids } = await ownShop();
  const set = (id: number | undefined, body: { language?: string; timezone?: string; external_id?: string }) =>
    customer.api.call(updateProfile, { params: { profileId: id ?? 0 }, body });
  await set(ids[0], { language: 'pt-BR', timezone: 'Europe/Lisbon', external_id: 'C-1' });
  await set(ids[1], { language: 'en' });
  const find = async (expression: Expression) => {
    const { body } = await customer.api.call(previewSegment, { body: { expression } });
    expect(body.count).toBe(body.sample.length);
    return body.sample.map(({ name }) => name ?? '').toSorted();
  };
  expect(await find({ field: 'language', op: 'starts', value: 'PT' })).toEqual(['Ada']);
  expect(await find({ not: { field: 'language', op: 'exists' } })).toEqual(['Cleo', 'Dan']);
  expect(await find({ field: 'timezone', op: 'in', value: ['europe/lisbon'] })).toEqual(['Ada']);
  const condition = { fieldPath: 'external_id', operator: 'equals' as const, value: 'C-1' };
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'C', condition } });
  const members = await customer.api.call(listSegmentMembers, { params: { segmentId: segment.id } });
  expect(members.body.data.map(({ name }) => name)).toEqual(['Ada']);
  const count = (operator: 'exists' | 'not_equals' | 'not_exists') =>
    customer.api.call(previewSegmentCount, { body: { condition: { ...condition, operator } } });
  expect((await count('exists')).body.count).toBe(1);
  expect((await count('not_exists')).body.count).toBe(3);
  expect((await count('not_equals')).body.count).toBe(3);
  const own = await customer.api.call(listProfileSegments, { params: { profileId: ids[0] ?? 0 } });
  expect(own.body.data.map(({ name }) => name)).toEqual(['C']);
});
