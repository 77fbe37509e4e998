import { afterAll, beforeAll, expect, test } from 'vitest';
import { track } from '#contracts/events.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createProfile, deleteProfile, updateProfile } from '#contracts/profiles.ts';
import { createSegment, deleteSegment, updateSegment } from '#contracts/segments.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { removeOldMoves } from './remove-old-moves.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let app: TestApplication;
let count = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());

const isVip: Expression = { field: 'status', op: 'equals', value: 'vip' };

async function person({ api }: Customer, status = 'new') {
  const body = { phone: `1415555${String(3000 + (count += 1))}`, status };
  return (await api.call(createProfile, { body })).body;
}

async function segment({ api }: Customer, expression: Expression, name = 'Some') {
  const { body } = await api.call(createSegment, { body: { name, expression } });
  await watched(body.id);
  return body.id;
}

/** Waits until the segment was looked through; with `before`, under another definition. */
async function watched(segmentId: number, before?: string): Promise<string> {
  const read = async () => {
    const row = await app.ctx.db
      .selectFrom('audience_watches')
      .select('definition')
      .where('source_id', '=', segmentId)
      .where('is_built', '=', true)
      .executeTakeFirst();
    return row?.definition ?? before;
  };
  await expect.poll(read).not.toBe(before);
  return (await read()) ?? '';
}

async function moves(segmentId: number): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('segment_moves')
    .select(['profile_id', 'state'])
    .where('segment_id', '=', segmentId)
    .orderBy('id')
    .execute();
  return rows.map(({ profile_id: id, state }) => `${id} ${state}`);
}

const become = ({ api }: Customer, profileId: number, status: string) =>
  api.call(updateProfile, { params: { profileId }, body: { status } });

async function later(ms: number): Promise<void> {
  clock.advance(ms);
  await app.ctx.pool.query(`select pg_notify('dovepost_membership', account_id::text) from audience_work`);
}

test('a person who comes to match joins, and leaves again; being there before is not joining', async () => {
  const owner = await signUpSubscriber(app.url);
  const before = await person(owner, 'vip');
  const id = await segment(owner, isVip);
  const ada = await person(owner);
  const bob = await person(owner, 'vip');
  await later(60_000);
  await expect.poll(() => moves(id)).toEqual([`${bob.id} joined`]);
  await become(owner, ada.id, 'vip');
  await later(60_000);
  await expect.poll(() => moves(id)).toEqual([`${bob.id} joined`, `${ada.id} joined`]);
  await become(owner, bob.id, 'old');
  await become(owner, before.id, 'old');
  await later(60_000);
  // In one batch or in two, by when they are looked at.
  const left = [`${before.id} left`, `${bob.id} left`].toSorted();
  await expect.poll(async () => (await moves(id)).slice(2).toSorted()).toEqual(left);
});

test('another definition moves nobody by itself, of the segment or of one that it names', async () => {
  const owner = await signUpSubscriber(app.url);
  const ada = await person(owner, 'old');
  const inner = await segment(owner, isVip, 'Inner');
  const outer = await segment(owner, { segment: inner }, 'Outer');
  const [first, second] = [await watched(inner), await watched(outer)];
  const expression: Expression = { field: 'status', op: 'equals', value: 'old' };
  await owner.api.call(updateSegment, { params: { segmentId: inner }, body: { expression } });
  await later(60_000);
  await watched(inner, first);
  await watched(outer, second);
  await become(owner, ada.id, 'vip');
  await later(60_000);
  await expect.poll(() => moves(outer)).toEqual([`${ada.id} left`]);
  await expect.poll(() => moves(inner)).toEqual([`${ada.id} left`]);
});

test('time alone lets somebody leave', async () => {
  const owner = await signUpSubscriber(app.url);
  const ada = await person(owner);
  const window = { last: 2, unit: 'days' } as const;
  const id = await segment(owner, { event: 'Order placed', times: { op: '>=', n: 1 }, window });
  await owner.api.call(track, { body: { profile_id: ada.id, event: 'Order placed' } });
  await later(60_000);
  await expect.poll(() => moves(id)).toEqual([`${ada.id} joined`]);
  await later(dayMs);
  await later(dayMs + 60_000);
  await expect.poll(() => moves(id)).toEqual([`${ada.id} joined`, `${ada.id} left`]);
});

test('moves go with the profile, stay after the segment, and after 400 days', async () => {
  const owner = await signUpSubscriber(app.url);
  const id = await segment(owner, isVip);
  const [ada, bob] = [await person(owner, 'vip'), await person(owner, 'vip')];
  await later(60_000);
  await expect.poll(() => moves(id)).toHaveLength(2);
  await owner.api.call(deleteProfile, { params: { profileId: ada.id } });
  await owner.api.call(deleteSegment, { params: { segmentId: id } });
  expect(await moves(id)).toEqual([`${bob.id} joined`]);
  const from = (days: number) => ({
    ...app.ctx,
    clock: { ...clock, now: () => new Date(clock.now().getTime() + days * dayMs) },
  });
  await removeOldMoves(from(399));
  expect(await moves(id)).toEqual([`${bob.id} joined`]);
  await removeOldMoves(from(401));
  expect(await moves(id)).toEqual([]);
});
