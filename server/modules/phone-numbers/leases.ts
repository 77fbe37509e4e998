import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { PhoneRow } from './present.ts';

/**
 * A worker's claim to a phone's session. The token is a fence: it grows with every change of owner, and a write that
 * carries an older one changes zero rows. Times are the database's own, so that workers need not agree on one.
 */
export type Lease = { accountId: number; phoneId: number; token: number };

/** How long a lease lasts without being renewed. */
export const leaseDurationMs = 15_000;

const expiry = sql<Date>`clock_timestamp() + ${leaseDurationMs} * interval '1 millisecond'`;

/** Takes phones that want a session and that no living worker holds. */
export async function claimLeases(ctx: Context, input: { owner: string; limit: number }): Promise<Lease[]> {
  const { rows } = await sql<{ account_id: number; phone_id: number; token: number }>`
    insert into phone_leases (account_id, phone_id, owner, token, expires_at)
    select p.account_id, p.id, ${input.owner}, nextval('lease_token_seq'), ${expiry}
      from phones p left join phone_leases l on l.phone_id = p.id
     where (p.wanted <> 'offline' or p.sign_out_requested)
       and (l.phone_id is null or l.expires_at < clock_timestamp())
     order by p.id
     limit ${input.limit}
    on conflict (phone_id) do update
       set owner = excluded.owner, token = excluded.token, expires_at = excluded.expires_at
     where phone_leases.expires_at < clock_timestamp()
    returning account_id, phone_id, token
  `.execute(ctx.db);
  return rows.map((row) => ({ accountId: row.account_id, phoneId: row.phone_id, token: row.token }));
}

/** Answers the phones whose lease still stands; the others belong to another worker, or are gone. */
export async function renewLeases(ctx: Context, leases: readonly Lease[]): Promise<Set<number>> {
  if (leases.length === 0) return new Set();
  const { rows } = await sql<{ phone_id: number }>`
    update phone_leases l set expires_at = ${expiry}
      from unnest(${leases.map(({ phoneId }) => phoneId)}::bigint[], ${leases.map(({ token }) => token)}::bigint[])
           as held (phone_id, token)
     where l.phone_id = held.phone_id and l.token = held.token
    returning l.phone_id
  `.execute(ctx.db);
  return new Set(rows.map(({ phone_id }) => phone_id));
}

export async function releaseLease(ctx: Context, lease: Lease): Promise<void> {
  await ctx.db
    .deleteFrom('phone_leases')
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('token', '=', lease.token)
    .execute();
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
