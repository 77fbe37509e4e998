import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProfile } from '#contracts/profiles.ts';
import { countSegments, createSegment, listSegments, updateSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { noteDailyCounts } from './daily-counts.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let app: TestApplication;
let people = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());

const isVip = { fieldPath: 'status', operator: 'equals', value: 'vip' } as const;

async function addVip({ api }: Customer): Promise<void> {
  await api.call(createProfile, { body: { phone: `1415555${String(6000 + (people += 1))}`, status: 'vip' } });
}

async function makeSegment({ api }: Customer): Promise<number> {
  const { body } = await api.call(createSegment, { body: { name: 'Vip', condition: isVip } });
  return body.id;
}

const countOf = async ({ api }: Customer, id: number, days?: number) => {
  const { body } = await api.call(countSegments, { query: { ids: String(id), ...(days && { days }) } });
  return body.data[0];
};

const today = () => clock.now().toISOString().slice(0, 10);

/** Notes today\u2019s counts once the segment is followed and has so many people. */
async function noteToday(owner: Customer, id: number, expected: number): Promise<void> {
  const noted = async () => {
    await noteDailyCounts(app.ctx);
    return (await countOf(owner, id, 1))?.days.at(-1);
  };
  await expect.poll(noted, { timeout: 60_000 }).toEqual({ day: today(), count: expected });
}

test('a count a day is kept, and answered for as many days as are asked for', async () => {
  const owner = await signUpSubscriber(app.url);
  const id = await makeSegment(owner);
  await noteToday(owner, id, 0);
  const first = today();
  await addVip(owner);
  clock.advance(dayMs);
  await noteToday(owner, id, 1);
  const second = today();
  await addVip(owner);
  await noteToday(owner, id, 2);
  clock.advance(dayMs);
  await noteToday(owner, id, 2);
  expect((await countOf(owner, id, 30))?.days).toEqual([
    { day: first, count: 0 },
    { day: second, count: 2 },
    { day: today(), count: 2 },
  ]);
  expect((await countOf(owner, id, 1))?.days.map(({ day }) => day)).toEqual([second, today()]);
  expect(await countOf(owner, id)).toEqual({
    id,
    count: 2,
    is_estimate: false,
    counted_at: expect.any(String) as string,
    days: [],
  });
});

test('a segment begins anew with another condition, and not with another name', async () => {
  const owner = await signUpSubscriber(app.url);
  const id = await makeSegment(owner);
  await addVip(owner);
  await noteToday(owner, id, 1);
  await owner.api.call(updateSegment, { params: { segmentId: id }, body: { name: 'Guests', condition: isVip } });
  expect((await countOf(owner, id, 30))?.days).toHaveLength(1);
  await owner.api.call(updateSegment, {
    params: { segmentId: id },
    body: { condition: { ...isVip, value: 'guest' } },
  });
  expect((await countOf(owner, id, 30))?.days).toEqual([]);
});

test('counts of more than 92 days ago are removed', async () => {
  const owner = await signUpSubscriber(app.url);
  const id = await makeSegment(owner);
  await noteToday(owner, id, 0);
  clock.advance(93 * dayMs);
  await noteDailyCounts(app.ctx);
  const { rows } = await app.ctx.pool.query<{ day: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day from segment_counts where segment_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ day: today() }]);
});

test.each(['93', '-1', 'x', '1.5'])('days=%s is a 422', async (days) => {
  const { token } = await signUpSubscriber(app.url);
  const response = await fetch(`${app.url}/api/segments/counts?ids=1&days=${days}`, {
    headers: { authorization: token },
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ path: 'days' }] });
});

test('the list is sorted by how much each segment grew in 30 days', async () => {
  const owner = await signUpSubscriber(app.url);
  const vips = await makeSegment(owner);
  const others = { ...isVip, operator: 'not_equals' } as const;
  const { body: rest } = await owner.api.call(createSegment, { body: { name: 'Rest', condition: others } });
  await noteToday(owner, vips, 0);
  clock.advance(dayMs);
  await addVip(owner);
  await noteToday(owner, vips, 1);
  const { body: latest } = await owner.api.call(createSegment, { body: { name: 'Latest', condition: others } });
  const idsBy = async (order?: 'asc') => {
    const query = { sort: 'growth', pageSize: 2, ...(order && { order }) } as const;
    const { body } = await owner.api.call(listSegments, { query });
    const { body: after } = await owner.api.call(listSegments, {
      query: { ...query, after: body.next_cursor ?? undefined },
    });
    return [...body.data, ...after.data].map(({ id }) => id);
  };
  expect(await idsBy()).toEqual([vips, latest.id, rest.id]);
  expect(await idsBy('asc')).toEqual([rest.id, latest.id, vips]);
});
