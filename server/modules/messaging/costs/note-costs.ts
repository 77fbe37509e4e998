import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** A message that Meta counted as delivered, once. */
export type CountedMessage = {
  phoneId: number;
  /** Two letters; null where the number does not tell. */
  country: string | null;
  category: string;
  isBilled: boolean;
};

/** Adds messages to what their phones delivered today, in the transaction that notes their pricing. */
export async function noteCosts(tx: Tx, accountId: number, counted: readonly CountedMessage[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    with counted as materialized (
      select a.id, x.phone_id, (${tx.clock.now()}::timestamptz at time zone a.timezone)::date as day,
             coalesce(x.country, '') as country, x.category, x.is_billed, count(*) as count
        from unnest(${counted.map(({ phoneId }) => phoneId)}::bigint[], ${counted.map(({ country }) => country)}::text[],
                    ${counted.map(({ category }) => category)}::text[],
                    ${counted.map(({ isBilled }) => isBilled)}::boolean[]) as x (phone_id, country, category, is_billed)
        join accounts a on a.id = ${accountId}
       group by a.id, a.timezone, x.phone_id, coalesce(x.country, ''), x.category, x.is_billed
    )
    insert into phone_costs as p (account_id, phone_id, day, country, category, is_billed, count)
    select id, phone_id, day, country, category, is_billed, count from counted
     order by phone_id, country, category, is_billed
    on conflict (account_id, phone_id, day, country, category, is_billed) do update set count = p.count + excluded.count
  `.execute(tx.db);
}
