import { sql } from 'kysely';
import { maxEventNames } from '#contracts/events.ts';
import type { AcceptedEvent, TrackedEvent } from '#contracts/events.ts';
import { maxEventsAnHour } from '#contracts/webhooks.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { ConflictError, NotFoundError } from '#server/platform/errors.ts';
import type { ProblemError } from '#server/platform/errors.ts';
import { processPart } from '#server/process-part.ts';

export type EventToStore = {
  /** The profile's id, or the key of its number. */
  of: number | string;
  name: string;
  at: Date;
  properties: Record<string, unknown>;
  /** The caller's own id of it. */
  messageId: string | undefined;
};

export type StoredEvent = AcceptedEvent;
type Stored = StoredEvent | { problem: ProblemError };

/** For so long the caller's id of an event keeps another one with it away. */
export const keysKeptMs = 7 * 86_400_000;

/** Of a row and its entries in the indexes, beside what the caller sent. */
const bytesOfRow = 200;
/** Events go once there are more than may be; so much more may come until then. */
const overBudget = 1.1;

const maxItems = 50;
type Asked = { ctx: AccountContext; events: readonly EventToStore[] };
const batchersOf = processPart(() => new Map<number, Batcher<Asked, Stored[]>>());

/**
 * Stores events of existing profiles, by their places, all in one transaction: each once by its `messageId`, with its
 * counts; of a profile that is not there the answer is a 404. Concurrent requests of an account share a transaction, as
 * each would wait for the account's row.
 */
export async function storeEvents(ctx: AccountContext, events: readonly EventToStore[]): Promise<Stored[]> {
  if (events.length === 0) return [];
  if (ctx.db.isTransaction) return inTransaction(ctx, (tx) => storeTogether(tx, events));
  const batchers = batchersOf(ctx);
  const batcher = batchers.get(ctx.account.id) ?? createBatcher(storeBatch, { maxItems });
  batchers.set(ctx.account.id, batcher);
  try {
    return await batcher.add({ ctx, events });
  } finally {
    if (batcher.isIdle()) batchers.delete(ctx.account.id);
  }
}

async function storeBatch(batch: readonly Asked[]): Promise<Stored[][]> {
  const [first] = batch;
  if (!first) return [];
  const all = batch.flatMap(({ events }) => events);
  const stored = await retryConflicts(() => inTransaction(first.ctx, (tx) => storeTogether(tx, all)));
  let start = 0;
  return batch.map(({ events }) => {
    const own = stored.slice(start, start + events.length);
    start += events.length;
    return own;
  });
}

type Taking = EventToStore & { id: number; profileId: number; nameId: number; bytes: number };

async function storeTogether(tx: Tx<AccountContext>, events: readonly EventToStore[]): Promise<Stored[]> {
  const found = await lockAndRead(tx, events);
  if (found.bytes > tx.config.eventsQuotaBytes * overBudget) {
    const problem = new ConflictError('event_budget_reached', 'The events of this account take all the room they may');
    return events.map(() => ({ problem }));
  }
  const { people, keys: known, ids } = found;
  const profileOf = ({ of }: EventToStore) => {
    const profileId = typeof of === 'number' ? of : found.numbered.get(of);
    return profileId !== undefined && people.has(profileId) ? profileId : undefined;
  };
  const isNew = (event: EventToStore) => event.messageId === undefined || !known.has(event.messageId);
  const names = await nameIds(
    tx,
    events.filter((event) => profileOf(event) !== undefined && isNew(event)),
    found,
  );
  const answers: Stored[] = [];
  const taken: Taking[] = [];
  for (const [place, event] of events.entries()) {
    const { name, messageId, properties } = event;
    const profileId = profileOf(event);
    const same = messageId === undefined ? undefined : known.get(messageId);
    const nameId = names.get(name);
    if (same) answers.push({ id: same.id, profile_id: same.profileId, status: 'duplicate' });
    else if (profileId === undefined) answers.push({ problem: new NotFoundError('Profile') });
    else if (nameId === undefined) answers.push({ problem: new ConflictError('event_names_limit', namesText) });
    else {
      const id = ids[place] ?? 0;
      if (messageId !== undefined) known.set(messageId, { id, profileId });
      taken.push({
        ...event,
        id,
        profileId,
        nameId,
        bytes: bytesOfRow + name.length + Buffer.byteLength(JSON.stringify(properties)),
      });
      answers.push({ id, profile_id: profileId, status: 'accepted' });
    }
  }
  if (taken.length > 0) {
    const now = tx.clock.now();
    await insert(tx, taken, now);
    await publishLive(tx, tx.account.id, { type: 'events.changed' });
    const received = taken
      // The first ones of the hour, in the order in which they came.
      .slice(0, found.isListenedTo ? Math.max(0, maxEventsAnHour - found.told) : 0)
      .flatMap((event) => receivedOf(event, people.get(event.profileId), now));
    const source = { accountId: tx.account.id, at: now };
    await tx.onDomainEvents(tx, [
      { ...source, type: 'profiles.changed', profileIds: [...new Set(taken.map(({ profileId }) => profileId))] },
      ...received.map((data) => ({ ...source, type: 'event.received' as const, data })),
    ]);
  }
  return answers;
}

const namesText = 'The account has 1,000 different names of events';

type Person = { name: string | null; phone: string };
type Same = { id: number; profileId: number };

type Found = {
  bytes: number;
  /** How many names the account has. */
  names: number;
  nameIds: Map<string, number>;
  /** How many came in this hour so far. */
  told: number;
  /** Whether an endpoint of the account takes them: few do, and to find out later would cost a round trip of its own. */
  isListenedTo: boolean;
  people: Map<number, Person>;
  /** Their ids, of those that are named by a number. */
  numbered: Map<string, number>;
  keys: Map<string, Same>;
  ids: number[];
};

/**
 * Locks the account, so that ids are in the order in which their transactions commit, and no limit is passed by two at
 * once; then reads all that storing needs in one statement, which begins once the lock is held. Profiles that are there
 * stay until the transaction ends.
 */
async function lockAndRead(tx: Tx<AccountContext>, events: readonly EventToStore[]): Promise<Found> {
  const found = await readLocked(tx, events);
  if (found) return found;
  await sql`insert into event_accounts (account_id) values (${tx.account.id}) on conflict do nothing`.execute(tx.db);
  const first = await readLocked(tx, events);
  if (!first) throw new Error('The events of an account have no row');
  return first;
}

/** Undefined before the account's first event, which makes the row that is locked. */
async function readLocked(tx: Tx<AccountContext>, events: readonly EventToStore[]): Promise<Found | undefined> {
  const accountId = tx.account.id;
  const now = tx.clock.now();
  const given = [...new Set(events.map(({ of }) => of))];
  const numbers = anyLength(
    given.filter((each) => typeof each === 'string'),
    'text',
  );
  const profileIds = anyLength(
    given.filter((each) => typeof each === 'number'),
    'bigint',
  );
  const messageIds = anyLength(
    events.flatMap(({ messageId }) => messageId ?? []),
    'text',
  );
  const names = anyLength([...new Set(events.map(({ name }) => name))], 'text');
  await sql`
    /* prepared: lock-event-account, unread */
    select from event_accounts where account_id = ${accountId} for no key update
  `.execute(tx.db);
  const { rows } = await sql<{
    bytes: number;
    names: number;
    told: number;
    isListenedTo: boolean;
    people: ({ id: number } & Person)[] | null;
    numbered: Record<string, number> | null;
    keys: ({ key: string } & Same)[] | null;
    known: Record<string, number> | null;
    ids: number[];
  }>`
    /* prepared: read-for-events */
    with numbered as materialized (
      select phone_key(phone) as key, id from profiles
       where account_id = ${accountId} and not is_twin
         and phone_key(phone) = any(${numbers})
    ), held as materialized (
      -- One by one: a plan for all accounts takes a list of ids for a reason to walk through a whole account's names.
      select p.id, p.name, p.phone
        from (select distinct id from unnest(${profileIds} || array(select id from numbered)) as id order by id) as named
       cross join lateral (
         select id, name, phone from profiles where account_id = ${accountId} and id = named.id for key share
       ) as p
    )
    select a.bytes, a.names,
           case when a.told_hour = ${hourOf(now)}::timestamptz then a.told else 0 end as told,
           exists (select from webhook_endpoints w
                    where w.account_id = a.account_id and w.url is not null
                      and 'event.received' = any(coalesce(w.events, w.named_events))) as "isListenedTo",
           (select jsonb_agg(to_jsonb(held)) from held) as people,
           (select jsonb_object_agg(key, id) from numbered) as numbered,
           (select jsonb_agg(jsonb_build_object('key', k.message_id, 'id', k.event_id, 'profileId', k.profile_id))
              from event_keys k
             where k.account_id = ${accountId} and k.message_id = any(${messageIds})
               and k.stored_at > ${new Date(now.getTime() - keysKeptMs)}) as keys,
           (select jsonb_object_agg(n.name, n.id) from event_names n
             where n.account_id = ${accountId} and n.name = any(${names})) as known,
           array(select next_record_id() from generate_series(1, (select ${events.length}::int))) as ids
      from event_accounts a where a.account_id = ${accountId}
  `.execute(tx.db);
  const [row] = rows;
  if (!row) return undefined;
  return {
    bytes: row.bytes,
    names: row.names,
    told: row.told,
    isListenedTo: row.isListenedTo,
    numbered: new Map(Object.entries(row.numbered ?? {})),
    people: new Map(row.people?.map(({ id, name, phone }) => [id, { name, phone }])),
    keys: new Map(row.keys?.map(({ key, id, profileId }) => [key, { id, profileId }])),
    nameIds: new Map(Object.entries(row.known ?? {})),
    ids: row.ids.map(Number),
  };
}

/** Beyond the most, a name that is not there yet has none. */
async function nameIds(
  tx: Tx<AccountContext>,
  events: readonly EventToStore[],
  { nameIds: found, names: count }: Found,
): Promise<Map<string, number>> {
  const asked = [...new Set(events.map(({ name }) => name))];
  const fresh = asked.filter((name) => !found.has(name)).slice(0, Math.max(0, maxEventNames - count));
  if (fresh.length === 0) return found;
  const { rows: made } = await sql<{ name: string; id: number }>`
    with made as (
      insert into event_names (account_id, name, first_at, last_at)
      select ${tx.account.id}, name, ${tx.clock.now()}, ${tx.clock.now()} from unnest(${fresh}::text[]) as x (name)
      returning name, id
    ), counted as (
      update event_accounts set names = names + ${fresh.length} where account_id = ${tx.account.id}
    )
    select name, id from made
  `.execute(tx.db);
  return new Map([...found, ...made.map(({ name, id }) => [name, id] as const)]);
}

async function insert(tx: Tx<AccountContext>, taken: readonly Taking[], now: Date): Promise<void> {
  const accountId = tx.account.id;
  const rows = taken.map(({ id, profileId, nameId, at, messageId = null, properties, bytes }) => ({
    id,
    profile_id: profileId,
    name_id: nameId,
    at,
    message_id: messageId,
    properties,
    bytes,
  }));
  await sql`
    /* prepared: store-events, unread */
    with x as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as x (id bigint, profile_id bigint, name_id bigint, at timestamptz, message_id text, properties jsonb, bytes int)
    ), stored as (
      insert into events (account_id, id, profile_id, name_id, at, received_at, message_id, properties, bytes)
      select ${accountId}::bigint, id, profile_id, name_id, at, ${now}::timestamptz, message_id, properties, bytes from x
    ), keyed as (
      insert into event_keys as k (account_id, message_id, event_id, profile_id, stored_at)
      select ${accountId}::bigint, message_id, id, profile_id, ${now}::timestamptz from x where message_id is not null
       order by message_id
      on conflict (account_id, message_id) do update
        set event_id = excluded.event_id, profile_id = excluded.profile_id, stored_at = excluded.stored_at
    ), days as (
      insert into event_days as d (account_id, name_id, profile_id, day, n)
      select ${accountId}::bigint, name_id, profile_id, (at at time zone 'UTC')::date, count(*) from x
       group by 2, 3, 4 order by 2, 3, 4
      on conflict (account_id, name_id, profile_id, day) do update set n = d.n + excluded.n
    ), hours as (
      insert into event_hours as h (account_id, name_id, hour, n)
      select ${accountId}::bigint, name_id, ${hourOf(now)}::timestamptz, count(*) from x
       group by 2 order by 2
      on conflict (account_id, name_id, hour) do update set n = h.n + excluded.n
    ), named as (
      update event_names e
         set total = e.total + c.n, last_at = greatest(e.last_at, c.last_at), first_at = least(e.first_at, c.first_at)
        from (select name_id, count(*) as n, max(at) as last_at, min(at) as first_at from x group by 1) as c
       where e.account_id = ${accountId} and e.id = c.name_id
    )
    update event_accounts
       set bytes = bytes + (select sum(bytes) from x),
           told = (select count(*) from x) +
                  case when told_hour = ${hourOf(now)}::timestamptz then told else 0 end,
           told_hour = ${hourOf(now)}::timestamptz
     where account_id = ${accountId}
  `.execute(tx.db);
}

const hourMs = 60 * 60_000;

/** Of UTC. */
const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

function receivedOf(event: Taking, person: Person | undefined, now: Date): TrackedEvent[] {
  if (!person) return [];
  return [
    {
      id: event.id,
      profile_id: event.profileId,
      profile_name: person.name,
      phone: person.phone,
      event: event.name,
      properties: event.properties,
      timestamp: event.at.toISOString(),
      received_at: now.toISOString(),
      message_id: event.messageId ?? null,
    },
  ];
}
