import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { createProfile } from '#contracts/profiles.ts';
import { explainSegment, listNearlyMembers } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

const now = new Date();
const dayMs = 86_400_000;
const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();

let app: TestApplication;
let customer: Customer;

const people = [
  { name: 'In', custom_fields: { plan: 'pro', city: 'Lisbon', ordered: before(70) } },
  { name: 'Soon', custom_fields: { plan: 'pro', city: 'Lisbon', ordered: before(52) } },
  { name: 'Trial', custom_fields: { plan: 'trial', city: 'Lisbon', ordered: before(70) } },
  { name: 'Far', custom_fields: { plan: 'trial', city: 'Lisbon', ordered: before(52) } },
  { name: 'Unread', custom_fields: { plan: 'pro', city: 'Lisbon', ordered: 'never' } },
  { name: 'Left out', custom_fields: { plan: 'pro', city: 'Porto', ordered: before(70) } },
  { name: 'Vip', custom_fields: { plan: 'pro', city: 'Lisbon', ordered: before(1), spent: 60, replies: 0 } },
];

const quiet: Expression = { field: 'custom_fields.ordered', op: 'more_than_ago', n: 60, unit: 'days' };
const spends: Expression = {
  all: [
    { field: 'custom_fields.spent', op: 'gt', value: 50 },
    { field: 'custom_fields.replies', op: 'gt', value: 0 },
  ],
};
const expression: Expression = {
  all: [
    { field: 'custom_fields.plan', op: 'equals', value: 'pro' },
    { any: [spends, quiet] },
    { not: { field: 'custom_fields.city', op: 'equals', value: 'Porto' } },
  ],
};

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => now } });
  customer = await signUpSubscriber(app.url);
  for (const [index, person] of people.entries()) {
    await customer.api.call(createProfile, { body: { phone: `1415555010${index}`, ...person } });
  }
});
afterAll(() => app[Symbol.asyncDispose]());

const nearly = async (asked: Expression, page: { limit?: number; offset?: number } = {}) =>
  (await customer.api.call(listNearlyMembers, { body: { expression: asked, ...page } })).body;

test('people who miss a single condition are told with it, and with when time alone lets them in', async () => {
  const { data, count } = await nearly(expression, { limit: 50 });
  expect(count).toBe(5);
  expect(data.map(({ name, missing, joins_at }) => [name, missing, joins_at])).toEqual([
    ['Vip', 'expression.all.1.any.0.all.1', new Date(Date.parse(before(1)) + 60 * dayMs + 1).toISOString()],
    ['Left out', 'expression.all.2', null],
    ['Unread', 'expression.all.1.any.1', null],
    ['Trial', 'expression.all.0', null],
    ['Soon', 'expression.all.1.any.1', new Date(Date.parse(before(52)) + 60 * dayMs + 1).toISOString()],
  ]);
  for (const { id } of data) {
    const { body } = await customer.api.call(explainSegment, { body: { expression, profile_id: id } });
    expect(body.matches).toBe(false);
  }
});

test('they come in pages', async () => {
  const pages = [await nearly(expression, { limit: 2 }), await nearly(expression, { limit: 2, offset: 2 })];
  expect(pages.map(({ data, count }) => [data.map(({ name }) => name), count])).toEqual([
    [['Vip', 'Left out'], 5],
    [['Unread', 'Trial'], 5],
  ]);
});

test('of another account there is nobody, and an unknown segment is named', async () => {
  const stranger = await signUpSubscriber(app.url);
  const { body } = await stranger.api.call(listNearlyMembers, { body: { expression } });
  expect(body).toEqual({ data: [], count: 0, is_estimate: false });
  const unknown = { all: [{ segment: 999_999 }, quiet] };
  const refusal = await customer.api.refuse(listNearlyMembers, { body: { expression: unknown } });
  expect(refusal.status).toBe(422);
  expect(refusal.body.errors?.[0]?.path).toBe('expression.all.0.segment');
});
