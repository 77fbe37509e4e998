import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { listFields, putField } from '#contracts/fields.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment, explainSegment, getSegment, previewSegment, updateSegment } from '#contracts/segments.ts';
import { patience } from '#tests/support/patience.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** Profiles with these values in `custom_fields.x`; undefined: without the field. */
async function withValues(...values: unknown[]): Promise<{ customer: Customer; ids: number[] }> {
  const customer = await signUpSubscriber(app.url);
  const ids: number[] = [];
  for (const [index, x] of values.entries()) {
    const body = {
      phone: `+1415555010${index}`,
      name: `P${index}`,
      custom_fields: x === undefined ? { other: 1 } : { x },
    };
    ids.push((await customer.api.call(createProfile, { body })).body.id);
  }
  return { customer, ids };
}

const path = 'custom_fields.x';

const typeIt = ({ api }: Customer, type: FieldType | null) => api.call(putField, { params: { path }, body: { type } });

async function untilReady({ api }: Customer): Promise<void> {
  await expect
    .poll(async () => (await api.call(listFields, { query: { search: path } })).body.data[0]?.state, patience)
    .toBe('ready');
}

async function names({ api }: Customer, expression: Expression): Promise<string[]> {
  const { body } = await api.call(previewSegment, { body: { expression } });
  expect(body.count).toBe(body.sample.length);
  return body.sample.map(({ name }) => name ?? '').toSorted();
}

test('a field has its types, samples and count before it has a type, and its type and label after', async () => {
  const { customer } = await withValues('12', 7, undefined);
  const before = await customer.api.call(listFields, { query: { search: path } });
  expect(before.body.data).toEqual([
    {
      path,
      label: null,
      type: null,
      state: null,
      unreadable: null,
      types: ['number', 'string'],
      samples: ['7', '12'],
      profiles: 2,
    },
  ]);
  const { body } = await customer.api.call(putField, { params: { path }, body: { type: 'number', label: 'Orders' } });
  const typed = { ...before.body.data[0], type: 'number', label: 'Orders' };
  expect(body).toEqual({ ...typed, state: 'building' });
  await untilReady(customer);
  const all = await customer.api.call(listFields);
  expect(all.body.data.find((field) => field.path === path)).toEqual({ ...typed, state: 'ready', unreadable: 0 });
  expect(all.body.data.find((field) => field.path === 'created_at')).toMatchObject({ type: null, types: ['time'] });
  expect(all.body.data.find((field) => field.path === 'language')).toMatchObject({ types: ['string'], profiles: 0 });
  const kept = await customer.api.call(putField, { params: { path }, body: { type: null } });
  expect(kept.body).toMatchObject({ type: null, label: 'Orders' });
});

test.each<[FieldType, unknown[], Expression, { is: string[]; not: string[]; unreadable: number }]>([
  [
    'number',
    ['10.0', 10, ' 10', 'ten', undefined],
    { field: path, op: 'equals', value: 10 },
    { is: ['P0', 'P1', 'P2'], not: ['P4'], unreadable: 1 },
  ],
  [
    'number',
    [1, '2', 3, 'many'],
    { field: path, op: 'in', value: [1, '2.00'] },
    { is: ['P0', 'P1'], not: ['P2'], unreadable: 1 },
  ],
  [
    'date',
    ['2026-03-01', '2026-03-01T18:00:00Z', '2026-03-02', 'soon', Date.parse('2026-03-01T01:00:00Z')],
    { field: path, op: 'equals', value: '2026-03-01' },
    { is: ['P0', 'P1', 'P4'], not: ['P2'], unreadable: 1 },
  ],
  [
    'date',
    ['2026-03-01', '2026-05-01', 'soon'],
    { field: path, op: 'gt', value: Date.parse('2026-04-01') },
    { is: ['P1'], not: ['P0'], unreadable: 1 },
  ],
  [
    'boolean',
    [true, 'YES', 1, 'no', 'maybe', undefined],
    { field: path, op: 'equals', value: 'true' },
    { is: ['P0', 'P1', 'P2'], not: ['P3', 'P5'], unreadable: 1 },
  ],
  [
    'list',
    ['Shoes, bags', ['shoes'], 'hats', { a: 1 }, undefined],
    { field: path, op: 'includes', value: 'SHOES' },
    { is: ['P0', 'P1'], not: ['P2', 'P4'], unreadable: 1 },
  ],
])('a %s of %j is compared as such; what does not read so is neither', async (type, values, expression, wanted) => {
  const { customer } = await withValues(...values);
  await typeIt(customer, type);
  expect(await names(customer, expression)).toEqual(wanted.is);
  expect(await names(customer, { not: expression })).toEqual(wanted.not);
  const { body } = await customer.api.call(previewSegment, { body: { expression } });
  expect(body.lines[0]?.unreadable).toBe(wanted.unreadable);
  await untilReady(customer);
  expect(await names(customer, expression)).toEqual(wanted.is);
  expect(await names(customer, { not: expression })).toEqual(wanted.not);
  const { body: indexed } = await customer.api.call(previewSegment, { body: { expression } });
  expect([indexed.lines[0]?.unreadable, indexed.served_by]).toEqual([wanted.unreadable, 'index']);
  const { body: fields } = await customer.api.call(listFields, { query: { search: path } });
  expect(fields.data[0]?.unreadable).toBe(wanted.unreadable);
});

test('counts of a segment are right from the answer on, and again when the type is taken back', async () => {
  const { customer, ids } = await withValues('10.0', 'ten');
  const expression: Expression = { field: path, op: 'equals', value: 10 };
  const outer: Expression = {
    segment: (await customer.api.call(createSegment, { body: { name: 'S', expression } })).body.id,
  };
  expect(await names(customer, outer)).toEqual([]);
  await typeIt(customer, 'number');
  expect(await names(customer, outer)).toEqual(['P0']);
  const explained = await customer.api.call(explainSegment, { body: { expression, profile_id: ids[1] ?? 0 } });
  expect(explained.body.tree).toEqual({ ...expression, matches: null, value: 'ten' });
  await typeIt(customer, null);
  expect(await names(customer, outer)).toEqual([]);
});

test('an operator or a value that is not of the type is a 422 of new segments; older ones keep theirs', async () => {
  const { customer } = await withValues('12');
  const contains: Expression = { field: path, op: 'contains', value: '1' };
  const { body: older } = await customer.api.call(createSegment, { body: { name: 'Older', expression: contains } });
  await typeIt(customer, 'number');
  const refused = await customer.api.refuse(createSegment, { body: { name: 'New', expression: { all: [contains] } } });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ path: 'expression.all.0.op', message: `${path} is a number: use equals, in, gt, lt, between, exists` }],
  ]);
  const value = await customer.api.refuse(createSegment, {
    body: { name: 'New', expression: { field: path, op: 'in', value: [1, 'many'] } },
  });
  expect(value.body.errors).toEqual([{ path: 'expression.value.1', message: 'Enter a number' }]);
  expect(await names(customer, { segment: older.id })).toEqual(['P0']);
  const params = { segmentId: older.id };
  await customer.api.call(updateSegment, { params, body: { name: 'Renamed', expression: contains } });
  expect((await customer.api.call(getSegment, { params })).body.name).toBe('Renamed');
});

test('a column and an unknown type are a 422, what is no path is a 404; another account has none of it', async () => {
  const { customer } = await withValues(1);
  await typeIt(customer, 'number');
  const column = await customer.api.refuse(putField, { params: { path: 'created_at' }, body: { type: 'date' } });
  expect([column.status, column.body.errors?.[0]?.path]).toEqual([422, 'path']);
  const unknown = await customer.api.refuse(putField, { params: { path: 'surname' }, body: { type: 'text' } });
  expect(unknown.status).toBe(404);
  const type = await customer.api.refuse(putField, { params: { path }, body: { type: 'time' as 'date' } });
  expect([type.status, type.body.errors?.[0]?.path]).toEqual([422, 'type']);
  const other = await signUpSubscriber(app.url);
  expect((await other.api.call(listFields, { query: { search: path } })).body.data).toEqual([]);
});

test('a field with a type can be asked for before any profile has it', async () => {
  const { customer } = await withValues(undefined);
  const expression: Expression = { field: path, op: 'gt', value: 3 };
  const refused = await customer.api.refuse(createSegment, { body: { name: 'Early', expression } });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'expression.field']);
  await typeIt(customer, 'number');
  await customer.api.call(createSegment, { body: { name: 'Early', expression } });
  await customer.api.call(createProfile, { body: { phone: '+14155550109', name: 'P9', custom_fields: { x: 4 } } });
  expect(await names(customer, expression)).toEqual(['P9']);
});
