import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SegmentCondition } from '#contracts/conditions.ts';
import { createProfile, deleteProfile } from '#contracts/profiles.ts';
import {
  countSegments,
  createSegment,
  deleteSegment,
  getSegment,
  listProfileSegments,
  listSegmentMembers,
  listSegments,
  previewSegmentCount,
  updateSegment,
} from '#contracts/segments.ts';
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

const installed: SegmentCondition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' };

async function customerWithProfiles(): Promise<{ customer: Customer; ids: number[] }> {
  const customer = await signUpSubscriber(app.url);
  const ids: number[] = [];
  for (const [index, value] of [true, 'true', false, undefined].entries()) {
    const body = { phone: `1415555010${index}`, name: `Person ${index}`, custom_fields: { installed: value } };
    ids.push((await customer.api.call(createProfile, { body })).body.id);
  }
  return { customer, ids };
}

test('a segment has the members that match now', async () => {
  const { customer, ids } = await customerWithProfiles();
  const { status, body: segment } = await customer.api.call(createSegment, {
    body: { name: ' Installed ', condition: installed },
  });
  expect(status).toBe(201);
  expect(segment).toMatchObject({ name: 'Installed', condition: installed, served_by: 'index' });
  const params = { segmentId: segment.id };
  const members = async (query = {}) => (await customer.api.call(listSegmentMembers, { params, query })).body;
  expect(await members()).toEqual({
    count: 2,
    is_estimate: false,
    data: [1, 0].map((index) => ({
      id: ids[index],
      country_code: 'US',
      cc: '1',
      phone: `1415555010${index}`,
      number: `415555010${index}`,
      name: `Person ${index}`,
    })),
  });
  expect(await members({ limit: 1, offset: 0 })).toMatchObject({ count: 2, data: [{ id: ids[1] }] });
  expect(await members({ limit: 1, offset: 1 })).toMatchObject({ count: 2, data: [{ id: ids[0] }] });
  expect(await members({ offset: 2 })).toEqual({ count: 2, is_estimate: false, data: [] });
  await customer.api.call(deleteProfile, { params: { profileId: ids[0] ?? 0 } });
  expect(await members()).toMatchObject({ count: 1, data: [{ id: ids[1] }] });
});

test.each([
  // Nearly all numbers are valid: an index of them would be one of all profiles.
  ['true', 'scan'],
  ['false', 'index'],
  // Nobody's, which is known without reading.
  ['maybe', 'index'],
])('phone_is_valid equals %s is served by: %s', async (value, servedBy) => {
  const { customer } = await customerWithProfiles();
  const condition = { fieldPath: 'phone_is_valid', operator: 'equals', value } as const;
  const { body } = await customer.api.call(previewSegmentCount, { body: { condition } });
  expect(body.served_by).toBe(servedBy);
});

test.each<[SegmentCondition['operator'], number[], 'index' | 'scan']>([
  ['equals', [0, 1], 'index'],
  ['not_equals', [2, 3], 'scan'],
  ['exists', [0, 1, 2], 'scan'],
  ['not_exists', [3], 'scan'],
])('%s', async (operator, expected, servedBy) => {
  const { customer, ids } = await customerWithProfiles();
  const condition = { ...installed, operator };
  const { body: preview } = await customer.api.call(previewSegmentCount, { body: { condition } });
  expect({ ...preview, sample: preview.sample.map(({ id }) => ids.indexOf(id)) }).toEqual({
    count: expected.length,
    is_estimate: false,
    sample: expected.toReversed(),
    served_by: servedBy,
  });
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Some', condition } });
  const { body } = await customer.api.call(listSegmentMembers, { params: { segmentId: segment.id }, query: {} });
  expect(body.data.map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b)).toEqual(expected);
  for (const [index, profileId] of ids.entries()) {
    const { body: own } = await customer.api.call(listProfileSegments, { params: { profileId } });
    expect(own.data.map(({ id }) => id)).toEqual(expected.includes(index) ? [segment.id] : []);
  }
});

test('a segment is renamed, changed, listed and deleted', async () => {
  const { customer } = await customerWithProfiles();
  const { body: segment } = await customer.api.call(createSegment, {
    body: { name: 'Installed', condition: installed },
  });
  const params = { segmentId: segment.id };
  const { body: renamed } = await customer.api.call(updateSegment, { params, body: { name: 'Users' } });
  expect(renamed).toMatchObject({ name: 'Users', condition: installed });
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  const { body: changed } = await customer.api.call(updateSegment, { params, body: { condition } });
  expect(changed).toMatchObject({ name: 'Users', condition });
  expect((await customer.api.call(listSegments)).body.data).toEqual([changed]);
  expect((await customer.api.call(getSegment, { params })).body).toEqual(changed);
  expect((await customer.api.call(deleteSegment, { params })).status).toBe(204);
  expect((await customer.api.refuse(listSegmentMembers, { params, query: {} })).status).toBe(404);
});

test.each<[string, object, string]>([
  ['an unknown column', { ...installed, fieldPath: 'shoe_size' }, 'condition.fieldPath'],
  ['a custom field that no profile has', { ...installed, fieldPath: 'custom_fields.nothing' }, 'condition.fieldPath'],
  ['a broken path', { ...installed, fieldPath: String.raw`custom_fields.a\b` }, 'condition.fieldPath'],
  ['no path', { ...installed, fieldPath: '' }, 'condition.fieldPath'],
  ['an operator of flows', { ...installed, operator: 'before_hours_ago' }, 'condition.operator'],
  ['an unknown operator', { ...installed, operator: 'like' }, 'condition.operator'],
  ['an object for a value', { ...installed, value: {} }, 'condition.value'],
])('%s is a 422', async (_name, condition, path) => {
  const { customer } = await customerWithProfiles();
  const refused = await customer.api.refuse(createSegment, {
    body: { name: 'Some', condition: condition as SegmentCondition },
  });
  expect([refused.status, refused.body.errors?.map((error) => error.path)]).toEqual([422, [path]]);
});

test.each(['limit=0', 'limit=101', 'offset=-1', 'offset=x'])('%s is a 422', async (query) => {
  const { customer } = await customerWithProfiles();
  const { body: segment } = await customer.api.call(createSegment, {
    body: { name: 'Installed', condition: installed },
  });
  const response = await fetch(`${app.url}/api/segments/${segment.id}/profiles?${query}`, {
    headers: { authorization: customer.token },
  });
  expect(response.status).toBe(422);
});

test('several segments are counted in one request, without those of another account and those that are gone', async () => {
  const { customer } = await customerWithProfiles();
  const idOf = async ({ api }: Customer, name: string, condition: SegmentCondition) =>
    (await api.call(createSegment, { body: { name, condition } })).body.id;
  const [some, all] = [
    await idOf(customer, 'Installed', installed),
    await idOf(customer, 'All', { fieldPath: 'phone', operator: 'exists', value: '' }),
  ];
  const foreign = await idOf(await signUpSubscriber(app.url), 'Theirs', {
    fieldPath: 'phone',
    operator: 'exists',
    value: '',
  });
  const gone = await idOf(customer, 'Gone', installed);
  await customer.api.call(deleteSegment, { params: { segmentId: gone } });
  const { status, body } = await customer.api.call(countSegments, {
    query: { ids: [all, foreign, gone, some, all].join() },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      { id: all, count: 4, is_estimate: false, counted_at: expect.any(String) as string, days: [] },
      { id: some, count: 2, is_estimate: false, counted_at: expect.any(String) as string, days: [] },
    ],
  });
});

test.each(['', 'ids=', 'ids=x', 'ids=1,0', `ids=${Array.from({ length: 51 }, (_, index) => index + 1).join()}`])(
  'counts of segments: %j is a 422',
  async (query) => {
    const { token } = await signUpSubscriber(app.url);
    const response = await fetch(`${app.url}/api/segments/counts?${query}`, { headers: { authorization: token } });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path: expect.stringMatching(/^ids/) as string }] });
  },
);

test('a value of another type is taken as the text that spells it', async () => {
  const { customer } = await customerWithProfiles();
  const condition = { ...installed, value: true } as unknown as SegmentCondition;
  const { body } = await customer.api.call(createSegment, { body: { name: 'Installed', condition } });
  expect(body.condition?.value).toBe('true');
});
