import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findPeople, fittingPeople } from '#server/modules/audience/conditions/index.ts';
import type { Person } from '#server/modules/audience/conditions/index.ts';
import { findWatches } from './watches.ts';
import type { Watches } from './watches.ts';

/** Each kind has a share, so that none waits for the others' end. */
const atOnce = { changed: 400, due: 100, slice: 50, people: 500 };
/** So many changes are nearly always those of enough people. */
const usualChanges = 1_000;
/** Of a person who changed often, all changes among them are looked at once. */
const changesAtOnce = 20_000;

export type State = { memberOf: readonly number[]; dueAt: Date | null };

/** Everybody up to `until` is looked at; without it, all who are left. `sweptUntil` is as it was found. */
export type Slice = { until: number | undefined; sweptUntil: number | null };

export type Batch = {
  watches: Watches;
  ids: readonly number[];
  /** Without those that are gone. */
  people: ReadonlyMap<number, Person>;
  states: ReadonlyMap<number, State>;
  /** People of the queue among them. */
  changed: ReadonlySet<number>;
  /** The entries of the queue that the batch deals with. */
  changeIds: readonly number[];
  slice: Slice | undefined;
  isMoreLeft: boolean;
};

/**
 * Reads people who changed, then people whose time has come, then the next ones of everybody where an expression is
 * being built; all of them and all about them at one moment. A change that commits later is still in the queue then.
 */
export async function readBatch(ctx: AccountContext, now: Date): Promise<Batch> {
  return inTransaction(ctx, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx.db);
    const watches = await findWatches(tx);
    const changes = await findChanges(tx);
    const changed = [...new Set(changes.map(({ profileId }) => profileId))];
    const first = changed.slice(0, atOnce.changed);
    const due = await findDue(tx, now);
    const room = Math.max(atOnce.slice, atOnce.people - first.length - due.length);
    const slice = await findSlice(tx, watches, room);
    const asked = [...new Set([...first, ...due, ...(slice?.ids ?? [])])];
    const ids = await fittingPeople(tx, asked, watches.needs);
    const taken = new Set(ids);
    const dealtWith = slice && upTo(slice, taken);
    const isLast = slice === undefined || (dealtWith !== undefined && dealtWith.until === undefined);
    return {
      watches,
      ids,
      people: await findPeople(tx, ids, watches.needs),
      states: await findStates(tx, ids),
      changed: new Set(first),
      changeIds: changes.flatMap((change) => (taken.has(change.profileId) ? [change.id] : [])),
      slice: dealtWith,
      isMoreLeft:
        !isLast ||
        ids.length < asked.length ||
        first.length < changed.length ||
        changes.length === changesAtOnce ||
        due.length === atOnce.due,
    };
  });
}

type FoundSlice = Slice & { ids: readonly number[] };

/** The slice as far as its people are taken; undefined: none of them. */
function upTo({ ids, ...slice }: FoundSlice, taken: ReadonlySet<number>): Slice | undefined {
  const left = ids.findIndex((id) => !taken.has(id));
  if (left < 0) return slice;
  return left === 0 ? undefined : { ...slice, until: ids[left - 1] };
}

type Change = { id: number; profileId: number };

/** From the first one on, with a person more than are taken at once where there is one. */
async function findChanges({ db, account }: Tx<AccountContext>): Promise<Change[]> {
  const find = async (limit: number) => {
    const { rows } = await sql<Change>`
      /* prepared: find-changes */
      select id, profile_id as "profileId" from profile_changes
       where account_id = ${account.id} order by id limit ${limit}
    `.execute(db);
    return rows;
  };
  const usual = await find(usualChanges);
  const people = new Set(usual.map(({ profileId }) => profileId));
  return usual.length < usualChanges || people.size > atOnce.changed ? usual : find(changesAtOnce);
}

async function findDue({ db, account }: Tx<AccountContext>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    /* prepared: find-due-people */
    select profile_id as id from profile_states
     where account_id = ${account.id} and due_at <= ${now} order by due_at limit ${atOnce.due}
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function findSlice(
  { db, account }: Tx<AccountContext>,
  { all }: Watches,
  size: number,
): Promise<FoundSlice | undefined> {
  const { rows: work } = await sql<{ isReady: boolean; sweptUntil: number | null }>`
    select is_ready as "isReady", swept_until as "sweptUntil" from audience_work where account_id = ${account.id}
  `.execute(db);
  const [{ isReady, sweptUntil } = { isReady: false, sweptUntil: null }] = work;
  const cursors = [
    ...all.flatMap(({ isBuilt, builtUntil }) => (isBuilt ? [] : [builtUntil])),
    ...(sweptUntil === null ? [] : [sweptUntil]),
  ];
  if (!isReady || cursors.length === 0) return undefined;
  const after = Math.min(...cursors);
  const { rows } = await sql<{ id: number }>`
    select id from profiles where account_id = ${account.id} and id > ${after} order by id limit ${size}
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  return { until: ids.length < size ? undefined : ids.at(-1), sweptUntil, ids };
}

async function findStates({ db, account }: Tx<AccountContext>, ids: readonly number[]): Promise<Map<number, State>> {
  const { rows } = await sql<State & { id: number }>`
    /* prepared: find-states */
    select profile_id as id, member_of as "memberOf", due_at as "dueAt" from profile_states
     where account_id = ${account.id} and profile_id = any(${ids}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}
