import { sql } from 'kysely';
import type { CostEstimate } from '#contracts/costs.ts';
import type { AccountContext } from '#server/context.ts';
import { estimateCost } from '#server/modules/messaging/costs/index.ts';
import { entriesOf, ofSource } from '../ledger/ledger.ts';
import type { Ledger, SourceRef } from '../ledger/ledger.ts';

type Counted = { country: string | null; category: string; day: string; is_billed: boolean; count: number };

/** The cost of what a source delivered, as Meta counted it; null where Meta counted none of it. */
export async function costOf(ctx: AccountContext, ledger: Ledger, ref: SourceRef): Promise<CostEstimate | null> {
  const { rows } = await sql<Counted>`
    select m.pricing ->> 'country' as country, m.pricing ->> 'category' as category, m.day::text as day,
           (m.pricing ->> 'billed')::boolean as is_billed, count(*)::int as count
      from (select account_id, message_id from ${entriesOf(ledger)}
             where ${ofSource(ledger, ref)} and status = 'sent' and message_id is not null) as e
      join lateral (select media_source #> '{details,pricing}' as pricing,
                           (delivered_at at time zone ${ctx.account.timezone})::date as day
                      from messages where account_id = e.account_id and id = e.message_id limit 1) as m
        on m.pricing is not null and m.day is not null
     group by 1, 2, 3, 4
  `.execute(ctx.db);
  if (rows.length === 0) return null;
  return estimateCost(
    ctx,
    rows.filter((row) => row.is_billed),
  );
}
