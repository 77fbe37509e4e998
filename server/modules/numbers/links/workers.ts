import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { leaseDurationMs } from './leases.ts';

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

/** This process is there to hold phones, for as long as a lease lasts. */
export async function recordWorker(ctx: Pick<Context, 'db'>, owner: string, { held, most }: WorkerRoom): Promise<void> {
  await sql`
    with gone as (delete from phone_workers where seen_at < clock_timestamp() - interval '1 day')
    insert into phone_workers (owner, seen_at, held, most) values (${owner}, clock_timestamp(), ${held}, ${most})
    on conflict (owner) do update set seen_at = excluded.seen_at, held = excluded.held, most = excluded.most
  `.execute(ctx.db);
}

/** Removes a worker that takes no more phones, so that the others share them all. */
export async function forgetWorker(ctx: Pick<Context, 'db'>, owner: string): Promise<void> {
  await ctx.db.deleteFrom('phone_workers').where('owner', '=', owner).execute();
}

/** The other living processes and the phones that they say they hold; null: not all of them say it. */
export async function findWorkers(ctx: Context, owner: string): Promise<{ workers: number; held: number | null }> {
  const { rows } = await sql<{ workers: number; held: number | null }>`
    select count(*)::int as workers,
           case when bool_and(held is not null) is not false then coalesce(sum(held), 0)::int end as held
      from phone_workers
     where owner <> ${owner} and seen_at > clock_timestamp() - ${leaseDurationMs} * interval '1 millisecond'
  `.execute(ctx.db);
  return rows[0] ?? { workers: 0, held: null };
}

/** Counts all phones. */
export async function findBalance(ctx: Context, owner: string): Promise<Balance> {
  const { rows } = await sql<Balance>`
    select 1 + (select count(*) from phone_workers
                 where owner <> ${owner}
                   and seen_at > clock_timestamp() - ${leaseDurationMs} * interval '1 millisecond')::int as workers,
           count(*)::int as phones,
           count(*) filter (where l.phone_id is null or l.expires_at < clock_timestamp())::int as free
      from phones p left join phone_leases l on l.phone_id = p.id
     where p.wanted <> 'offline' or p.sign_out_requested
  `.execute(ctx.db);
  return rows[0] ?? { workers: 1, phones: 0, free: 0 };
}

/** Which of these phones nobody holds. */
export async function findFree(ctx: Context, phoneIds: readonly number[]): Promise<Set<number>> {
  if (phoneIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select p.id from phones p
     where p.id = any(${phoneIds}::bigint[]) and (p.wanted <> 'offline' or p.sign_out_requested)
       and not exists (select from phone_leases l where l.phone_id = p.id and l.expires_at >= clock_timestamp())
  `.execute(ctx.db);
  return new Set(rows.map(({ id }) => id));
}
