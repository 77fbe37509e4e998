import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { CloudSetup } from '#contracts/phone-numbers.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { outboxNotifications } from '../channels.ts';
import type { NumberHoldsTable } from '../tables.ts';
import { findPortfolios } from './portfolio.ts';

/** `begin`: it may answer whoever wrote within 24 hours, and begin with nobody. */
export type HoldScope = 'all' | 'begin';

/** An end that nobody knows, for comparisons. */
const never = new Date('2999-01-01T00:00:00Z');

/** Null for an end that nobody knows. */
export const knownEnd = (until: Date): Date | null => (until >= never ? null : until);

type Hold = { source: string; scope: HoldScope; reason: string; until: Date | null };

/**
 * Replaces the holds of these sources on all numbers of a business account. A source without a hold among them is
 * released.
 */
export async function holdBusinessAccount(
  tx: Tx,
  input: { accountId: number; businessAccountId: string; sources: readonly string[]; holds: readonly Hold[] },
): Promise<void> {
  const { accountId, businessAccountId, sources, holds } = input;
  const { rows } = await sql<{ phone_id: number; project_id: number }>`
    select c.phone_id, p.project_id from cloud_numbers c
      join phones p on p.account_id = c.account_id and p.id = c.phone_id
     where c.account_id = ${accountId} and c.business_account_id = ${businessAccountId}
     order by c.phone_id
  `.execute(tx.db);
  const phoneIds = rows.map((row) => row.phone_id);
  await sql`
    delete from number_holds
     where account_id = ${accountId} and phone_id = any(${phoneIds}::bigint[]) and source = any(${sources}::text[])
  `.execute(tx.db);
  for (const row of rows) for (const hold of holds) await saveHold(tx, { accountId, phoneId: row.phone_id, ...hold });
  await announce(tx, accountId, rows);
}

/** Holds a single number back. */
export async function holdNumber(
  ctx: Context,
  { accountId, phoneId, ...hold }: { accountId: number; phoneId: number } & Hold,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await saveHold(tx, { accountId, phoneId, ...hold });
    const phone = await tx.db
      .selectFrom('phones')
      .select(['id as phone_id', 'project_id'])
      .where('account_id', '=', accountId)
      .where('id', '=', phoneId)
      .execute();
    await announce(tx, accountId, phone);
  });
}

/** A hold that a fault of the number brought, and that ends once the number is tested and all is right. */
export const faultHold = 'fault';

/** Lets a number go on that a fault had stopped. */
export async function releaseNumber(
  ctx: Context,
  { accountId, phoneId, projectId }: { accountId: number; phoneId: number; projectId: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { numDeletedRows: released } = await tx.db
      .deleteFrom('number_holds')
      .where('account_id', '=', accountId)
      .where('phone_id', '=', phoneId)
      .where('source', '=', faultHold)
      .executeTakeFirst();
    if (released > 0n) await announce(tx, accountId, [{ phone_id: phoneId, project_id: projectId }]);
  });
}

async function saveHold(
  tx: Tx,
  { accountId, phoneId, source, scope, reason, until }: Hold & { accountId: number; phoneId: number },
): Promise<void> {
  const values = { scope, reason, until, began_at: tx.clock.now() };
  await tx.db
    .insertInto('number_holds')
    .values({ account_id: accountId, phone_id: phoneId, source, ...values })
    .onConflict((conflict) => conflict.columns(['phone_id', 'source']).doUpdateSet(values))
    .execute();
}

async function announce(
  tx: Tx,
  accountId: number,
  phones: readonly { phone_id: number; project_id: number }[],
): Promise<void> {
  for (const { phone_id: phoneId, project_id: projectId } of phones)
    await publishLive(tx, accountId, { type: 'phones.changed', project_id: projectId, phone_id: phoneId });
  await notify(tx.db, outboxNotifications(phones.map(({ phone_id: phoneId }) => phoneId)));
}

/** Until when a phone of the table `phones` is held back in a scope, in SQL; null: it is not. */
export const heldUntil = (scope: HoldScope) => sql<Date | null>`
  (select max(coalesce(nh.until, ${never}::timestamptz)) from number_holds nh
    where nh.phone_id = phones.id and nh.scope = ${sql.lit(scope)})`;

/** Whether a phone is held back in a scope now, in SQL. */
export const isHeld = (phoneId: RawBuilder<unknown>, scope: HoldScope, now: Date) => sql<boolean>`
  exists (select from number_holds nh
           where nh.phone_id = ${phoneId} and nh.scope = ${sql.lit(scope)} and (nh.until is null or nh.until > ${now}))`;

/** The holds of numbers that are not over, by the phones' ids. */
export async function findHoldsOf(
  ctx: Context,
  accountId: number,
  phoneIds: readonly number[],
): Promise<Map<number, CloudSetup['holds']>> {
  const { rows } = await sql<Selectable<NumberHoldsTable>>`
    select * from number_holds
     where account_id = ${accountId} and phone_id = any(${phoneIds}::bigint[])
       and (until is null or until > ${ctx.clock.now()})
     order by began_at, source
  `.execute(ctx.db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.phone_id)].map(([phoneId, of]) => [
      phoneId,
      of.map(({ scope, reason, began_at: beganAt, until }) => ({
        scope,
        reason,
        began_at: beganAt.toISOString(),
        until: until?.toISOString() ?? null,
      })),
    ]),
  );
}

export type OfficialHold = { waitingFor: WaitingReason; waitingUntil: Date | null };

/** Why official numbers send nothing that is queued, by their ids; those that may send are missing. */
export async function findOfficialHolds(
  ctx: Context,
  accountId: number,
  phoneIds: readonly number[],
): Promise<Map<number, OfficialHold>> {
  if (phoneIds.length === 0) return new Map();
  const now = ctx.clock.now();
  const { rows } = await sql<{ phone_id: number; business_account_id: string; is_held: boolean; until: Date | null }>`
    select c.phone_id, c.business_account_id, h.is_held, h.until
      from cloud_numbers c
     cross join lateral (
       select count(*) > 0 as is_held, max(coalesce(nh.until, ${never}::timestamptz)) as until from number_holds nh
        where nh.phone_id = c.phone_id and (nh.until is null or nh.until > ${now})
     ) h
     where c.account_id = ${accountId} and c.phone_id = any(${phoneIds}::bigint[])
  `.execute(ctx.db);
  const portfolios = await findPortfolios(ctx, accountId, [...new Set(rows.map((row) => row.business_account_id))]);
  return new Map(
    rows.flatMap((row): [number, OfficialHold][] => {
      if (row.is_held)
        return [[row.phone_id, { waitingFor: 'phone_restricted', waitingUntil: row.until && knownEnd(row.until) }]];
      const freeAt = portfolios.get(row.business_account_id)?.freeAt;
      return freeAt ? [[row.phone_id, { waitingFor: 'portfolio_limit', waitingUntil: freeAt }]] : [];
    }),
  );
}

/** Forgets holds that are over. */
export async function removeOldHolds(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await sql`delete from number_holds where until < ${ctx.clock.now()}`.execute(ctx.db);
}
