import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { isLeaseHeld } from '#server/modules/numbers/phones/index.ts';

/** How long the lease of a worker lasts without being renewed. */
export const leaseDurationMs = 15_000;

/** How the phones lie among the processes. */
export type Balance = {
  /** Living processes that hold phones or could, this one included. */
  workers: number;
  /** Phones that want a session. */
  phones: number;
  /** Of those, the ones that nobody holds. */
  free: number;
};

/** `held`: how many phones a process holds; `most`: how many it may. */
export type WorkerRoom = { held: number; most: number };

const expiry = sql<Date>`clock_timestamp() + ${leaseDurationMs} * interval '1 millisecond'`;
/** Of a worker that takes no more phones: the others share them all. */
const longAgoMs = 3_600_000;
const isSeen = sql<boolean>`seen_at > clock_timestamp() - ${leaseDurationMs} * interval '1 millisecond'`;

/**
 * Begins a lease of this process, and answers its epoch: what the process held before is free from now on. The others
 * count it among those that share the phones. `after`: the process's own last epoch; where another process has begun
 * under the name since, and lives, nothing begins.
 */
export async function beginWorker(
  ctx: Pick<Context, 'db'>,
  { owner, most, after }: { owner: string; most: number; after?: number | undefined },
): Promise<number | undefined> {
  const mayBegin = sql`w.epoch is not distinct from ${after ?? null}::bigint or w.expires_at < excluded.seen_at`;
  const { rows } = await sql<{ epoch: number }>`
    with gone as (delete from phone_workers where owner <> ${owner} and seen_at < clock_timestamp() - interval '1 day')
    insert into phone_workers as w (owner, epoch, seen_at, expires_at, held, most)
    values (${owner}, nextval('lease_token_seq'), clock_timestamp(), ${expiry}, 0, ${most})
    on conflict (owner) do update
      set epoch = excluded.epoch, seen_at = excluded.seen_at, expires_at = excluded.expires_at, held = excluded.held,
          most = excluded.most
      ${after === undefined ? sql`` : sql`where ${mayBegin}`}
    returning epoch
  `.execute(ctx.db);
  return rows[0]?.epoch;
}

export type Beat = {
  /** Its lease had not ended, and goes on. */
  stands: boolean;
  /** Its phones by the database: how many, and the sum of their tokens. */
  phones: number;
  tokens: number;
};

/** Renews a worker's lease, and with it all that it holds. `isRetired`: it takes no more phones, and keeps what it has. */
export async function renewWorker(
  ctx: Pick<Context, 'db'>,
  { owner, epoch, held, most, isRetired }: WorkerRoom & { owner: string; epoch: number; isRetired: boolean },
): Promise<Beat> {
  const { rows } = await sql<Beat>`
    /* prepared: renew-worker */
    with renewed as (
      update phone_workers
         set seen_at = clock_timestamp() - ${isRetired ? longAgoMs : 0} * interval '1 millisecond', expires_at = ${expiry},
             held = ${held}, most = ${most}
       where owner = ${owner} and epoch = ${epoch} and expires_at > clock_timestamp()
      returning owner
    )
    select exists (select from renewed) as stands,
           count(*)::int as phones, coalesce(sum(token), 0)::bigint as tokens
      from phone_leases where owner = ${owner} and token > ${epoch}
  `.execute(ctx.db);
  const [beat] = rows;
  if (!beat) throw new Error('A worker had no answer');
  return beat;
}

/** Removes a worker that has given back all its phones; what it could not give back ends with its lease. */
export async function forgetWorker(
  ctx: Pick<Context, 'db'>,
  { owner, epoch }: { owner: string; epoch: number },
): Promise<void> {
  await sql`
    delete from phone_workers
     where owner = ${owner} and epoch = ${epoch} and not exists (select from phone_leases where owner = ${owner})
  `.execute(ctx.db);
}

export type OtherWorkers = {
  workers: number;
  /** The phones that they say they hold; null: not all of them say it. */
  held: number | null;
  /** All phones that want a session, as anyone counted them last. */
  phones: number | null;
  countedMsAgo: number | null;
};

/** The other living processes. */
export async function findWorkers(ctx: Pick<Context, 'db'>, owner: string): Promise<OtherWorkers> {
  const { rows } = await sql<OtherWorkers>`
    /* prepared: find-workers */
    with latest as (
      select phones, counted_at from phone_workers where counted_at is not null order by counted_at desc limit 1
    )
    select count(*)::int as workers,
           case when bool_and(held is not null) is not false then coalesce(sum(held), 0)::int end as held,
           (select phones from latest) as phones,
           (select extract(epoch from clock_timestamp() - counted_at) * 1000 from latest)::float8 as "countedMsAgo"
      from phone_workers
     where owner <> ${owner} and ${isSeen}
  `.execute(ctx.db);
  return rows[0] ?? { workers: 0, held: null, phones: null, countedMsAgo: null };
}

/** Counts all phones, and notes it for the others. */
export async function findBalance(ctx: Pick<Context, 'db'>, owner: string): Promise<Balance> {
  const { rows } = await sql<Balance>`
    with counted as materialized (
      select count(*)::int as phones, count(*) filter (where l.phone_id is null or not ${isLeaseHeld()})::int as free,
             min(statement_timestamp()) as at
        from phones p left join phone_leases l on l.phone_id = p.id
       where p.wanted <> 'offline' or p.sign_out_requested
    ), noted as (
      update phone_workers w set phones = counted.phones, counted_at = counted.at from counted where w.owner = ${owner}
    )
    select 1 + (select count(*) from phone_workers where owner <> ${owner} and ${isSeen})::int as workers, phones, free
      from counted
  `.execute(ctx.db);
  return rows[0] ?? { workers: 1, phones: 0, free: 0 };
}

/** Which of these phones nobody holds. */
export async function findFree(ctx: Context, phoneIds: readonly number[]): Promise<Set<number>> {
  if (phoneIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select p.id from phones p
     where p.id = any(${phoneIds}::bigint[]) and (p.wanted <> 'offline' or p.sign_out_requested)
       and not exists (select from phone_leases l where l.phone_id = p.id and ${isLeaseHeld()})
  `.execute(ctx.db);
  return new Set(rows.map(({ id }) => id));
}
