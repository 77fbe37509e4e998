import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { isLeaseHeld, leaseEnd } from '#server/modules/numbers/phones/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { leaseDurationMs } from './workers.ts';

/**
 * A worker's claim to a phone's session. The token is a fence: it grows with every change of owner, and a write that
 * carries an older one changes zero rows. Times are the database's own, so that workers need not agree on one.
 */
export type Lease = { accountId: number; phoneId: number; token: number };

/** `isTakenOver`: another worker had it, and let it lapse. */
export type ClaimedLease = Lease & { isTakenOver: boolean };

const expiryIn = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

type ClaimInput = {
  owner: string;
  /** The claimant's own lease: one that has ended meanwhile claims nothing. */
  epoch?: number;
  limit: number;
  except?: readonly number[];
  /** No others are looked at. */
  among?: readonly number[];
};

/**
 * Takes phones that want a session and that no living worker holds, but for those in `except`. A row that somebody else
 * has locked is left for the next time: a phone waits for its own row at the most, and no worker for another. Ends are
 * judged by the time at which the statement began, as what it reads of other workers is as old as that, and a row is only
 * taken as it was read then: who has it since may be of a worker that the statement does not see.
 */
export async function claimLeases(ctx: Pick<Context, 'db'>, input: ClaimInput): Promise<ClaimedLease[]> {
  const { owner, epoch, limit, except = [], among } = input;
  const expiry = expiryIn(leaseDurationMs);
  const mayBeTaken = sql`(p.wanted <> 'offline' or p.sign_out_requested) and p.id <> all(${except}::bigint[])
         ${among ? sql`and p.id = any(${among}::bigint[])` : sql``}
         ${epoch === undefined ? sql`` : sql`and exists (${livingWorker(owner, epoch)})`}`;
  const { rows } = await sql<{ account_id: number; phone_id: number; token: number; before: string | null }>`
    with lapsed as (
      select l.phone_id, l.owner
        from phone_leases seen
        join phone_leases l on l.phone_id = seen.phone_id and l.token = seen.token and l.expires_at = seen.expires_at
        join phones p on p.id = l.phone_id
       where ${mayBeTaken} and ${leaseEnd('seen')} < transaction_timestamp()
       order by l.phone_id
       limit ${limit}
         for no key update of l skip locked
    ), taken as (
      update phone_leases l set owner = ${owner}, token = nextval('lease_token_seq'), expires_at = ${expiry}
        from lapsed
       where l.phone_id = lapsed.phone_id
      returning l.account_id, l.phone_id, l.token, lapsed.owner as before
    ), free as (
      select p.account_id, p.id
        from phones p
       where ${mayBeTaken} and not exists (select from phone_leases l where l.phone_id = p.id)
       order by p.id
       limit ${limit}
         for key share of p skip locked
    ), added as (
      insert into phone_leases (account_id, phone_id, owner, token, expires_at)
      select account_id, id, ${owner}, nextval('lease_token_seq'), ${expiry} from free
       limit ${limit} - (select count(*) from taken)
      on conflict (phone_id) do nothing
      returning account_id, phone_id, token
    )
    select * from taken union all select *, null from added
  `.execute(ctx.db);
  return rows.map(({ account_id: accountId, phone_id: phoneId, token, before }) => ({
    accountId,
    phoneId,
    token,
    isTakenOver: before !== null && before !== owner,
  }));
}

const livingWorker = (owner: string, epoch: number) => sql`
  select from phone_workers w where w.owner = ${owner} and w.epoch = ${epoch} and w.expires_at > clock_timestamp()`;

/** All that a worker holds within its lease, as the database has it. */
export async function listLeases(
  ctx: Pick<Context, 'db'>,
  { owner, epoch }: { owner: string; epoch: number },
): Promise<Lease[]> {
  const { rows } = await sql<{ account_id: number; phone_id: number; token: number }>`
    select account_id, phone_id, token from phone_leases where owner = ${owner} and token > ${epoch}
  `.execute(ctx.db);
  return rows.map((row) => ({ accountId: row.account_id, phoneId: row.phone_id, token: row.token }));
}

/**
 * Answers the phones whose lease still stands, and those of them that were renewed: one whose row somebody has locked is
 * left for the next time. The others belong to another worker, or are gone.
 */
export async function renewLeases(
  ctx: Pick<Context, 'db'>,
  leases: readonly Lease[],
  durationMs: number,
): Promise<{ standing: Set<number>; renewed: Set<number> }> {
  if (leases.length === 0) return { standing: new Set(), renewed: new Set() };
  const { rows } = await sql<{ phone_id: number; is_renewed: boolean }>`
    with held as materialized (
      select l.phone_id
        from unnest(${leases.map(({ phoneId }) => phoneId)}::bigint[], ${leases.map(({ token }) => token)}::bigint[])
             as h (phone_id, token)
        join phone_leases l on l.phone_id = h.phone_id and l.token = h.token
    ), free as (
      select l.phone_id, l.token
        from phone_leases l
        join unnest(${leases.map(({ phoneId }) => phoneId)}::bigint[], ${leases.map(({ token }) => token)}::bigint[])
             as h (phone_id, token) on h.phone_id = l.phone_id and h.token = l.token
         for no key update of l skip locked
    ), renewed as (
      update phone_leases l set expires_at = ${expiryIn(durationMs)}
        from free
       where l.phone_id = free.phone_id and l.token = free.token
      returning l.phone_id
    )
    select held.phone_id, renewed.phone_id is not null as is_renewed
      from held left join renewed using (phone_id)
  `.execute(ctx.db);
  return {
    standing: new Set(rows.map(({ phone_id }) => phone_id)),
    renewed: new Set(rows.flatMap(({ phone_id, is_renewed }) => (is_renewed ? [phone_id] : []))),
  };
}

export async function releaseLease(ctx: Pick<Context, 'db'>, lease: Lease): Promise<void> {
  await ctx.db
    .deleteFrom('phone_leases')
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('token', '=', lease.token)
    .execute();
}

/** A worker learns of it with its next renewal, 3 s later at the most, and closes its session. */
const leavesWithinMs = 5_000;
/** Has no row among the workers, so that the time beside the phone alone counts. */
export const nobody = 'released';

/**
 * Takes the phone from whoever holds it: writes of that worker change nothing from now on. Another one may take it once a
 * worker that lives has closed its session, so that the two do not push each other out. Answers whether somebody held it.
 */
export async function breakLease(ctx: Pick<Context, 'db'>, phoneId: number): Promise<boolean> {
  const { rows } = await sql`
    update phone_leases set owner = ${nobody}, token = nextval('lease_token_seq'), expires_at = ${expiryIn(leavesWithinMs)}
     where phone_id = ${phoneId} and ${isLeaseHeld('phone_leases')}
    returning phone_id
  `.execute(ctx.db);
  return rows.length > 0;
}

/** A worker that starts again under its old name takes its phones back at once. */
export async function expireLeasesOf(ctx: Context, owner: string): Promise<void> {
  await sql`update phone_leases set expires_at = clock_timestamp() where owner = ${owner}`.execute(ctx.db);
}

/** The rows of phones whose lease still stands, by id. */
export async function findLeasedPhones(ctx: Context, leases: readonly Lease[]): Promise<Map<number, PhoneRow>> {
  if (leases.length === 0) return new Map();
  const { rows } = await sql<PhoneRow>`
    select p.* from phones p
      join unnest(${leases.map(({ accountId }) => accountId)}::bigint[],
                  ${leases.map(({ phoneId }) => phoneId)}::bigint[],
                  ${leases.map(({ token }) => token)}::bigint[]) as held (account_id, phone_id, token)
        on p.account_id = held.account_id and p.id = held.phone_id
      join phone_leases l on l.phone_id = held.phone_id and l.token = held.token
  `.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}
