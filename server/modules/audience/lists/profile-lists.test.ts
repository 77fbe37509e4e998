import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  createProfile,
  exportProfiles,
  listProfileFields,
  listProfiles,
  listProfileTags,
  updateProfile,
  upsertProfile,
} from '#contracts/profiles.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { createSegment, listProfileSegments, previewSegmentCount } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;
let customer: Customer;

const people: (Partial<NewProfile> & { phone: string })[] = [
  { phone: '14155550101', name: 'Ada', tags: [' VIP ', 'vip', 'New  York'], status: 'active' },
  { phone: '14155550102', name: 'Bo', tags: ['vip'], status: 'lead', opted_out: true },
  { phone: '14155550103', tags: ['wholesale'] },
  { phone: '442071838750', name: 'cy' },
];

beforeAll(async () => {
  app = await startTestApplication();
  customer = await signUpSubscriber(app.url);
  for (const body of people) await customer.api.call(createProfile, { body });
  const other = await signUpSubscriber(app.url);
  await other.api.call(createProfile, { body: { phone: '14155550109', name: 'Elsewhere', tags: ['vip', 'theirs'] } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Query = z.input<typeof listProfiles.query>;
const find = async (query: Query) =>
  (await customer.api.call(listProfiles, { query: { sort: 'phone', ...query } })).body.data.map(({ phone }) =>
    phone.slice(-3),
  );

describe('tags', () => {
  test('are kept in lower case, each once, and sorted; a change that names none leaves them', async () => {
    const { body } = await customer.api.call(upsertProfile, { body: { phone: '14155550101', email: 'a@example.com' } });
    expect(body.tags).toEqual(['new york', 'vip']);
    const params = { profileId: body.id };
    const { body: same } = await customer.api.call(updateProfile, { params, body: { tags: ['VIP', 'new york'] } });
    expect(same.updated_at).toBe(body.updated_at);
  });

  test.each([[['a,b']], [['']], [['x'.repeat(51)]], [['a\u0000b']], [Array.from({ length: 51 }, (_, n) => `t${n}`)]])(
    'refuses %j',
    async (tags) => {
      const { status } = await customer.api.refuse(createProfile, { body: { phone: '14155550199', tags } });
      expect(status).toBe(422);
    },
  );

  test('are listed with how many have each, and found by a part', async () => {
    const tags = async (search?: string) => (await customer.api.call(listProfileTags, { query: { search } })).body.data;
    expect(await tags()).toEqual([
      { tag: 'vip', profiles: 2 },
      { tag: 'new york', profiles: 1 },
      { tag: 'wholesale', profiles: 1 },
    ]);
    expect(await tags('YOR')).toEqual([{ tag: 'new york', profiles: 1 }]);
    const { body: fields } = await customer.api.call(listProfileFields, { query: { search: 'tags' } });
    expect(fields.data).toEqual([{ path: 'tags', types: ['array'], sample: '["wholesale"]', profiles: 3 }]);
  });

  test.each([
    ['equals', 'VIP', 2],
    ['not_equals', 'vip', 2],
    ['exists', '', 3],
    ['not_exists', '', 1],
    ['equals', 'theirs', 0],
  ] as const)('as a condition, %s “%s” matches %i', async (operator, value, count) => {
    const condition = { fieldPath: 'tags', operator, value };
    const { body } = await customer.api.call(previewSegmentCount, { body: { condition } });
    expect(body.count).toBe(count);
    const { body: segment } = await customer.api.call(createSegment, {
      body: { name: `${operator} ${value}`, condition },
    });
    expect(await find({ segment_id: segment.id })).toHaveLength(count);
    // Reading one profile's segments decides without the database's help: it says the same.
    const { body: all } = await customer.api.call(listProfiles);
    const own = await Promise.all(
      all.data.map(async ({ id }) => {
        const { body: segments } = await customer.api.call(listProfileSegments, { params: { profileId: id } });
        return segments.data.some((each) => each.id === segment.id);
      }),
    );
    expect(own.filter(Boolean)).toHaveLength(count);
  });
});

describe('a list of profiles', () => {
  test.each<[Query, string[]]>([
    [{ tags: 'vip' }, ['101', '102']],
    [{ tags: 'VIP,new york' }, ['101']],
    [{ tags: ',' }, ['101', '102', '103', '750']],
    [{ status: 'lead' }, ['102']],
    [{ opted_out: 'false', tags: 'vip' }, ['101']],
    [{ valid: 'false' }, ['101', '102', '103', '750']],
    [{ search: 'ada', tags: 'wholesale' }, []],
  ])('narrowed to %j has %j', async (query, phones) => {
    const found = await find(query);
    if (query.valid === undefined) expect(found).toEqual(phones);
    else expect(found.length + (await find({ valid: 'true' })).length).toBe(people.length);
  });

  test.each([
    [{ segment_id: 999_999 }, 'segment_id'],
    [{ exclude_segment_ids: '999999' }, 'exclude_segment_ids.0'],
    [{ expression: JSON.stringify({ not: { segment: 999_999 } }) }, 'expression.not.segment'],
    [{ expression: JSON.stringify({ topic: 999_999 }) }, 'expression.topic'],
  ])('and an export name the place of what there is not in %j', async (query: Query, path) => {
    for (const endpoint of [listProfiles, exportProfiles]) {
      const { status, body } = await customer.api.refuse(endpoint, { query });
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path, message: expect.stringMatching(/^There is no (segment|topic) 999999/) }]);
    }
  });

  test('knows no segment of another account', async () => {
    const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
    const stranger = await signUpSubscriber(app.url);
    const { body: theirs } = await stranger.api.call(createSegment, { body: { name: 'Theirs', condition } });
    const { status } = await customer.api.refuse(listProfiles, { query: { segment_id: theirs.id } });
    expect(status).toBe(422);
  });

  test('narrowed to who was found not to be on WhatsApp has them, in whatever form their number is', async () => {
    const brazil = await signUpSubscriber(app.url);
    for (const phone of ['555196123456', '14155550101']) {
      await brazil.api.call(createProfile, { body: { phone } });
    }
    await app.ctx.db
      .insertInto('numbers_off_whatsapp')
      .values({
        account_id: brazil.id,
        phone_key: sql`phone_key('5551996123456')`,
        found_at: new Date(),
      })
      .execute();
    const phones = async (query: Query) =>
      (await brazil.api.call(listProfiles, { query })).body.data.map(({ phone }) => phone);
    expect(await phones({ on_whatsapp: 'false' })).toEqual(['555196123456']);
    expect(await phones({ on_whatsapp: 'true' })).toEqual(['14155550101']);
  });

  test.each(['id', 'name', 'phone', 'created_at'] as const)(
    'by %s is walked by cursors, in either order, as by pages',
    async (sort) => {
      for (const order of ['asc', 'desc'] as const) {
        const whole = (await customer.api.call(listProfiles, { query: { sort, order } })).body.data;
        const seen: number[] = [];
        let after: string | undefined;
        do {
          const { body } = await customer.api.call(listProfiles, { query: { sort, order, pageSize: 1, after } });
          seen.push(...body.data.map(({ id }) => id));
          after = body.next_cursor ?? undefined;
        } while (after !== undefined);
        expect(seen).toEqual(whole.map(({ id }) => id));
      }
    },
  );

  test('is exported with the same filters, tags in a column', async () => {
    const query = new URLSearchParams({ tags: 'vip', opted_out: 'false' });
    const answer = await fetch(`${app.url}${exportProfiles.path}?${query.toString()}`, {
      headers: { authorization: customer.token },
    });
    const [header = '', ...rows] = (await answer.text()).trim().split(/\r?\n/);
    expect(header.split(',')).toContain('tags');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('"new york,vip"');
  });
});
