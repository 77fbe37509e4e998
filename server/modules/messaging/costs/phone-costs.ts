import { sql } from 'kysely';
import { connectorTraits } from '#contracts/connectors.ts';
import type { EndpointResponse } from '#contracts/endpoint.ts';
import type { getPhoneCosts as contract } from '#contracts/prices.ts';
import type { AccountContext } from '#server/context.ts';
import { getPhone, notOfficial } from '#server/modules/numbers/phones/index.ts';
import { localDay } from '#server/platform/wall-clock.ts';
import { estimateCost } from './estimate-cost.ts';

type Row = { day: string; country: string; category: string; is_billed: boolean; count: number };

/** The deliveries and the cost of a number in a month. Throws 404, and 409 `not_an_official_number`. */
export async function findPhoneCosts(
  ctx: AccountContext,
  input: { phoneId: number; month?: string | undefined },
): Promise<EndpointResponse<typeof contract>> {
  const phone = await getPhone(ctx, input.phoneId);
  if (connectorTraits[phone.connector].link !== 'credentials') throw notOfficial();
  const month = input.month ?? localDay(ctx.clock.now(), ctx.account.timezone).slice(0, 7);
  const { rows } = await sql<Row>`
    select day::text as day, country, category, is_billed, count::int as count from phone_costs
     where account_id = ${ctx.account.id} and phone_id = ${phone.id}
       and day >= ${`${month}-01`}::date and day < ${`${month}-01`}::date + interval '1 month'
  `.execute(ctx.db);
  const billed = rows.filter((row) => row.is_billed);
  const sum = (of: readonly Row[]) => of.reduce((all, { count }) => all + count, 0);
  const groups = billed.map(({ day, country, category, count }) => ({
    day,
    country: country || null,
    category,
    count,
  }));
  return { month, delivered: sum(rows), billed: sum(billed), cost: await estimateCost(ctx, groups) };
}
