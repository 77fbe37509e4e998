import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { createSegment, updateSegment } from '#contracts/segments.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { segmentSource } from '#server/modules/audience/segments/index.ts';
import { momentOf } from '#server/modules/audience/conditions/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { evaluateBatch } from './evaluate-batch.ts';
import { followDefinitions } from './follow-definitions.ts';
import { markChanged } from './mark-changed.ts';
import { readBatch } from './read-batch.ts';
import type { Batch } from './read-batch.ts';
import { saveBatch } from './save-batch.ts';
import { takeTurn } from './take-turn.ts';
import { claimTurn, endTurn, makeDue, TurnLostError } from './turn.ts';
import type { Turn } from './turn.ts';

const sources = [segmentSource];
const clock = createTestClock();
const ended = new AbortController().signal;
let app: TestApplication;
let phones = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

type Scene = { owner: Customer; ctx: AccountContext; segmentId: number };

const isVip = { field: 'status', op: 'equals' as const, value: 'vip' };

/** A segment that is built, and nothing to do. */
async function scene(): Promise<Scene> {
  const owner = await signUpSubscriber(app.url);
  const ctx = { ...app.ctx, account: { id: owner.id, timezone: 'UTC' } };
  const { body } = await owner.api.call(createSegment, { body: { name: 'VIP', expression: isVip } });
  await settleBuilt(owner);
  return { owner, ctx, segmentId: body.id };
}

async function settle({ id }: Customer): Promise<void> {
  await makeDue(app.ctx, [id]);
  while (await takeTurn(app.ctx, sources, ended));
}

const builtOf = async ({ id }: Customer) =>
  (await app.ctx.db.selectFrom('audience_watches').select('is_built').where('account_id', '=', id).execute()).map(
    ({ is_built: is }) => is,
  );

/** Other transactions of the database, which may be anybody's, end first. */
async function settleBuilt(owner: Customer): Promise<void> {
  await expect
    .poll(async () => {
      await settle(owner);
      return builtOf(owner);
    })
    .toEqual([true]);
}

async function person({ api }: Customer, status: string): Promise<number> {
  phones += 1;
  return (await api.call(createProfile, { body: { phone: `1415556${2000 + phones}`, status } })).body.id;
}

const become = ({ api }: Customer, profileId: number, status: string) =>
  api.call(updateProfile, { params: { profileId }, body: { status } });

async function moves({ ctx, segmentId }: Scene): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('segment_moves')
    .select(['profile_id', 'state'])
    .where('segment_id', '=', segmentId)
    .orderBy('id')
    .execute();
  return rows.map(({ profile_id: id, state }) => `${id} ${state}`);
}

async function queued({ ctx }: Scene): Promise<number> {
  const rows = await ctx.db
    .selectFrom('profile_changes')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .execute();
  return rows.length;
}

async function claim({ owner, ctx }: Scene): Promise<Turn> {
  await makeDue(app.ctx, [owner.id]);
  const turn = await claimTurn(ctx);
  if (turn?.account.id !== owner.id) throw new Error('Another account was due');
  return turn;
}

const read = ({ ctx }: Scene) => readBatch(ctx, clock.now());

const save = ({ ctx }: Scene, turn: Turn, batch: Batch) =>
  saveBatch(ctx, turn, {
    batch,
    sources,
    at: clock.now(),
    outcome: evaluateBatch(batch, momentOf(ctx), {
      sources,
      failed: (error) => {
        throw error;
      },
    }),
  });

test('a change that commits after the people were read is still in the queue, and looked at next', async () => {
  const own = await scene();
  const ada = await person(own.owner, 'new');
  const turn = await claim(own);
  const batch = await read(own);
  await become(own.owner, ada, 'vip');
  await save(own, turn, batch);
  expect(await moves(own)).toEqual([]);
  expect(await queued(own)).toBe(1);
  await save(own, turn, await read(own));
  expect(await moves(own)).toEqual([`${ada} joined`]);
  expect(await queued(own)).toBe(0);
  await endTurn(own.ctx, turn, 'infinity');
});

test('a person who changed very often is looked at once, and those who changed after her in the same turn', async () => {
  const own = await scene();
  const [ada, bob] = [await person(own.owner, 'new'), await person(own.owner, 'new')];
  await settle(own.owner);
  await become(own.owner, ada, 'vip');
  await sql`
    insert into profile_changes (account_id, profile_id)
    select ${own.owner.id}, ${ada}::bigint from generate_series(1, 1500)
  `.execute(own.ctx.db);
  await become(own.owner, bob, 'vip');
  const turn = await claim(own);
  const batch = await read(own);
  expect([...batch.changed]).toEqual([ada, bob]);
  expect(batch.isMoreLeft).toBe(false);
  await save(own, turn, batch);
  expect(await moves(own)).toEqual([`${ada} joined`, `${bob} joined`]);
  expect(await queued(own)).toBe(0);
  await endTurn(own.ctx, turn, 'infinity');
});

test('a change is seen with its entry in the queue or not at all, however long its transaction is open', async () => {
  const own = await scene();
  const ada = await person(own.owner, 'new');
  await settle(own.owner);
  const turn = await claim(own);
  let isChanged: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const open = new Promise<void>((resolve) => (goOn = resolve));
  const change = inTransaction(own.ctx, async (tx) => {
    await sql`update profiles set status = 'vip' where account_id = ${own.owner.id} and id = ${ada}`.execute(tx.db);
    await markChanged(tx, [{ type: 'profiles.changed', accountId: own.owner.id, at: clock.now(), profileIds: [ada] }]);
    isChanged?.();
    await open;
  });
  await changed;
  await save(own, turn, await read(own));
  expect(await moves(own)).toEqual([]);
  goOn?.();
  await change;
  await save(own, turn, await read(own));
  expect(await moves(own)).toEqual([`${ada} joined`]);
  await endTurn(own.ctx, turn, 'infinity');
});

test('many changes of a person are looked at once', async () => {
  const own = await scene();
  const ada = await person(own.owner, 'new');
  for (const status of ['vip', 'old', 'vip', 'old', 'vip']) await become(own.owner, ada, status);
  expect(await queued(own)).toBe(6);
  const turn = await claim(own);
  const batch = await read(own);
  expect(batch.ids).toEqual([ada]);
  await save(own, turn, batch);
  expect(await queued(own)).toBe(0);
  expect(await moves(own)).toEqual([`${ada} joined`]);
  await endTurn(own.ctx, turn, 'infinity');
});

test('a turn that another has taken over from stores nothing, and nobody joins twice', async () => {
  const own = await scene();
  const ada = await person(own.owner, 'vip');
  const slow = await claim(own);
  const batch = await read(own);
  clock.advance(31_000);
  const next = await claim(own);
  await save(own, next, await read(own));
  await expect(save(own, slow, batch)).rejects.toThrow(TurnLostError);
  expect(await moves(own)).toEqual([`${ada} joined`]);
  // A worker that stops amid its turn leaves the queue as it was.
  await become(own.owner, ada, 'old');
  await read(own);
  clock.advance(31_000);
  await settle(own.owner);
  expect(await moves(own)).toEqual([`${ada} joined`, `${ada} left`]);
});

test('no other turn of an account begins while one has it, and a request meanwhile leads to another', async () => {
  const own = await scene();
  const turn = await claim(own);
  await makeDue(app.ctx, [own.owner.id]);
  expect(await claimTurn(own.ctx)).toBeUndefined();
  await endTurn(own.ctx, turn, 'infinity');
  const again = await claimTurn(own.ctx);
  expect(again?.account.id).toBe(own.owner.id);
  if (again) await endTurn(own.ctx, again, 'infinity');
  expect(await claimTurn(own.ctx)).toBeUndefined();
});

test('while another definition is built the earlier one answers, and who changes meanwhile moves once', async () => {
  const own = await scene();
  const [ada, bob] = [await person(own.owner, 'vip'), await person(own.owner, 'new')];
  await settle(own.owner);
  const expression = { field: 'status', op: 'in' as const, value: ['vip', 'new'] };
  await own.owner.api.call(updateSegment, { params: { segmentId: own.segmentId }, body: { expression } });
  await become(own.owner, ada, 'old');
  const turn = await claim(own);
  await followDefinitions(own.ctx, turn, sources);
  const watches = await own.ctx.db
    .selectFrom('audience_watches')
    .select('is_built')
    .where('account_id', '=', own.owner.id)
    .orderBy('id')
    .execute();
  expect(watches).toEqual([{ is_built: true }, { is_built: false }]);
  await save(own, turn, await read(own));
  await endTurn(own.ctx, turn, 'infinity');
  // Bob is in it by its definition alone.
  expect(await moves(own)).toEqual([`${ada} joined`, `${ada} left`]);
  await become(own.owner, bob, 'old');
  await settle(own.owner);
  expect(await moves(own)).toEqual([`${ada} joined`, `${ada} left`, `${bob} left`]);
});

/** Everybody so far was found by the definition that is being built, and nobody else will be for now. */
async function stopBuilding({ ctx, owner }: Scene): Promise<void> {
  const { rows } = await sql<{ last: number }>`
    select max(id) as last from profiles where account_id = ${owner.id}
  `.execute(ctx.db);
  await sql`
    update audience_watches set built_until = ${rows[0]?.last ?? 0} where account_id = ${owner.id} and not is_built
  `.execute(ctx.db);
  await sql`update audience_work set is_ready = false where account_id = ${owner.id}`.execute(ctx.db);
}

const vipOrNew = { field: 'status', op: 'in' as const, value: ['vip', 'new'] };

test('after an edit the definition that is being built tells no moves, not even of people it has come past', async () => {
  const own = await scene();
  const [ada, bob] = [await person(own.owner, 'vip'), await person(own.owner, 'new')];
  await settle(own.owner);
  const params = { segmentId: own.segmentId };
  await own.owner.api.call(updateSegment, { params, body: { expression: vipOrNew } });
  const turn = await claim(own);
  await followDefinitions(own.ctx, turn, sources);
  await stopBuilding(own);
  await become(own.owner, ada, 'new');
  await become(own.owner, bob, 'vip');
  await save(own, turn, await read(own));
  const told = [`${ada} joined`, `${ada} left`, `${bob} joined`];
  expect(await moves(own)).toEqual(told);
  await endTurn(own.ctx, turn, 'infinity');
  await settleBuilt(own.owner);
  expect(await moves(own)).toEqual(told);
  await become(own.owner, ada, 'old');
  await settle(own.owner);
  expect(await moves(own)).toEqual([...told, `${ada} left`]);
});

test('an edit amid the first building ends it: the definition before it tells nothing any more', async () => {
  const owner = await signUpSubscriber(app.url);
  const ada = await person(owner, 'vip');
  const ctx = { ...app.ctx, account: { id: owner.id, timezone: 'UTC' } };
  const { body } = await owner.api.call(createSegment, { body: { name: 'VIP', expression: isVip } });
  const own = { owner, ctx, segmentId: body.id };
  let turn = await claim(own);
  await followDefinitions(ctx, turn, sources);
  await stopBuilding(own);
  await become(owner, ada, 'new');
  await become(owner, ada, 'vip');
  await save(own, turn, await read(own));
  await endTurn(ctx, turn, 'infinity');
  const told = [`${ada} joined`];
  expect(await moves(own)).toEqual(told);
  await owner.api.call(updateSegment, {
    params: { segmentId: own.segmentId },
    body: { expression: { field: 'status', op: 'in', value: ['vip', 'old'] } },
  });
  turn = await claim(own);
  await followDefinitions(ctx, turn, sources);
  await become(owner, ada, 'old');
  await save(own, turn, await read(own));
  await endTurn(ctx, turn, 'infinity');
  // She is in it by both, and has left neither.
  expect(await moves(own)).toEqual(told);
  await settleBuilt(owner);
  expect(await moves(own)).toEqual(told);
});

test('nothing is built before the transactions have ended that did not see the account followed', async () => {
  const owner = await signUpSubscriber(app.url);
  const ctx = { ...app.ctx, account: { id: owner.id, timezone: 'UTC' } };
  const ada = await person(owner, 'new');
  let goOn: (() => void) | undefined;
  let isChanged: (() => void) | undefined;
  const open = new Promise<void>((resolve) => (goOn = resolve));
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const event = { type: 'profiles.changed' as const, accountId: owner.id, at: clock.now(), profileIds: [ada] };
  const change = inTransaction(ctx, async (tx: Tx<AccountContext>) => {
    await sql`update profiles set status = 'vip' where account_id = ${owner.id} and id = ${ada}`.execute(tx.db);
    await markChanged(tx, [event]);
    isChanged?.();
    await open;
  });
  await changed;
  const { body } = await owner.api.call(createSegment, { body: { name: 'VIP', expression: isVip } });
  await settle(owner);
  expect(await builtOf(owner)).toEqual([false]);
  goOn?.();
  await change;
  await settleBuilt(owner);
  const states = await ctx.db
    .selectFrom('profile_states')
    .select('profile_id')
    .where('account_id', '=', owner.id)
    .execute();
  expect(states).toEqual([{ profile_id: ada }]);
  expect(await moves({ owner, ctx, segmentId: body.id })).toEqual([]);
});

test('writers of one person never wait for each other in the queue, nor for an evaluation that is under way', async () => {
  const own = await scene();
  const ada = await person(own.owner, 'new');
  const turn = await claim(own);
  const event = { type: 'profiles.changed' as const, accountId: own.owner.id, at: clock.now(), profileIds: [ada] };
  await own.ctx.db.transaction().execute(async (held) => {
    // As storing a batch holds it.
    await sql`select from audience_work where account_id = ${own.owner.id} for no key update`.execute(held);
    await inTransaction(own.ctx, async (first) => {
      await markChanged(first, [event]);
      await inTransaction(own.ctx, async (second) => {
        await sql`set local lock_timeout = 500`.execute(second.db);
        await markChanged(second, [event]);
      });
    });
  });
  expect(await queued(own)).toBe(3);
  await endTurn(own.ctx, turn, 'infinity');
});

test('an account that follows nothing any more queues nothing', async () => {
  const own = await scene();
  await sql`delete from segments where account_id = ${own.owner.id}`.execute(own.ctx.db);
  await person(own.owner, 'vip');
  await settle(own.owner);
  await person(own.owner, 'vip');
  expect(await queued(own)).toBe(0);
});
