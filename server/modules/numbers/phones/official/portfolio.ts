import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';

const dayMs = 24 * 60 * 60_000;

/** How many people a business portfolio may write to first in 24 hours (null: as many as it likes), and has. */
export type Portfolio = { limit: number | null; used: number; freeAt: Date | null };

/**
 * The portfolios of business accounts, by these accounts' ids; `freeAt`: when the next person may be begun with, where
 * the limit is reached. A portfolio is known by its business account alone, as Meta's answers do not name it.
 */
export async function findPortfolios(
  ctx: Context,
  accountId: number,
  businessAccountIds: readonly string[],
): Promise<Map<string, Portfolio>> {
  if (businessAccountIds.length === 0) return new Map();
  const since = new Date(ctx.clock.now().getTime() - dayMs);
  const { rows } = await sql<{ id: string; limit: number | null; used: number; frees: Date | null }>`
    /* prepared: find-portfolios */
    select b.id, b."limit", used.used,
           (select p.begun_at from portfolio_contacts p
             where p.account_id = ${accountId} and p.business_account_id = b.id and p.begun_at > ${since}
             order by p.begun_at offset greatest(used.used - b."limit", 0) limit 1) as frees
      from (select c.business_account_id as id,
                   case when not bool_or((c.facts ->> 'is_unlimited')::boolean)
                        then min((c.facts ->> 'people_per_day')::int) end as "limit"
              from cloud_numbers c
             where c.account_id = ${accountId} and c.business_account_id = any(${businessAccountIds}::text[])
             group by c.business_account_id) b
     cross join lateral (
       select count(*)::int as used from portfolio_contacts p
        where p.account_id = ${accountId} and p.business_account_id = b.id and p.begun_at > ${since}
     ) used
  `.execute(ctx.db);
  return new Map(
    rows.map(({ id, limit, used, frees }) => {
      const isUsedUp = limit !== null && used >= limit;
      return [id, { limit, used, freeAt: isUsedUp && frees ? new Date(frees.getTime() + dayMs) : null }];
    }),
  );
}

type Begun = { businessAccountId: string; to: string };

/** Notes whom messages begin with, in the transaction that accepts these. */
export async function noteBegun(tx: Tx, accountId: number, begun: readonly Begun[]): Promise<void> {
  if (begun.length === 0) return;
  await sql`
    insert into portfolio_contacts (account_id, business_account_id, contact_key, begun_at)
    select distinct ${accountId}::bigint, x.business, phone_key(x.number), ${tx.clock.now()}::timestamptz
      from unnest(${begun.map(({ businessAccountId }) => businessAccountId)}::text[],
                  ${begun.map(({ to }) => to)}::text[]) as x (business, number)
     order by 2, 3
    on conflict (account_id, business_account_id, contact_key) do update set begun_at = excluded.begun_at
  `.execute(tx.db);
}

/** No two acceptances of different projects take the same last place. */
export async function lockPortfolio(tx: Tx, accountId: number, businessAccountId: string): Promise<void> {
  await sql`
    select phone_id from cloud_numbers
     where account_id = ${accountId} and business_account_id = ${businessAccountId}
     order by phone_id
       for no key update
  `.execute(tx.db);
}

/** Of these recipients, by their places from 1: those that were begun with in the last 24 hours, and those with an open window. */
export async function findFreePlaces(
  ctx: Context,
  accountId: number,
  { businessAccountId, numbers }: { businessAccountId: string; numbers: readonly string[] },
): Promise<{ begun: ReadonlySet<number>; open: ReadonlySet<number> }> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ place: number; is_begun: boolean; is_open: boolean }>`
    /* prepared: find-free-places */
    select x.place::int as place,
           exists (select from portfolio_contacts p
                    where p.account_id = ${accountId} and p.business_account_id = ${businessAccountId}
                      and p.contact_key = phone_key(x.number) and p.begun_at > ${new Date(now.getTime() - dayMs)}) as is_begun,
           exists (select from cloud_numbers c
                     join contact_windows w on w.phone_id = c.phone_id and w.contact_key = phone_key(x.number)
                    where c.account_id = ${accountId} and c.business_account_id = ${businessAccountId}
                      and w.expires_at > ${now}) as is_open
      from unnest(${numbers}::text[]) with ordinality as x (number, place)
  `.execute(ctx.db);
  const placesWhere = (holds: (row: (typeof rows)[number]) => boolean) =>
    new Set(rows.filter(holds).map(({ place }) => place));
  return { begun: placesWhere((row) => row.is_begun), open: placesWhere((row) => row.is_open) };
}

const removedAtOnce = 10_000;

/** Forgets whom portfolios began with two days ago, and caps that are over. */
export async function removeOldAllowances(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await sql`
    delete from portfolio_contacts p
     -- account-wide: time alone decides, whosever they are.
     using (select account_id, business_account_id, contact_key from portfolio_contacts
             where begun_at < ${new Date(now.getTime() - 2 * dayMs)} limit ${removedAtOnce}) old
     where p.account_id = old.account_id and p.business_account_id = old.business_account_id
       and p.contact_key = old.contact_key
  `.execute(ctx.db);
  await sql`
    delete from marketing_caps m
     -- account-wide: time alone decides, whosever they are.
     using (select account_id, phone_key from marketing_caps where until < ${now} limit ${removedAtOnce}) old
     where m.account_id = old.account_id and m.phone_key = old.phone_key
  `.execute(ctx.db);
}
