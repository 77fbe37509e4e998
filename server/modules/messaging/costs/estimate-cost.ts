import { sql } from 'kysely';
import type { Amount, CostEstimate } from '#contracts/costs.ts';
import type { AccountContext } from '#server/context.ts';
import { localDay } from '#server/platform/wall-clock.ts';

/** Messages that are alike for their price; `day` is YYYY-MM-DD, today unless it says otherwise. */
type PricedGroup = { country: string | null; category: string; count: number; day?: string };

type Price = { country: string; category: string; valid_from: string; currency: string; price: string };

const mostLines = 250;
const millionths = 1_000_000n;

/** The cost of messages by the account's price list; messages without a price are counted apart. */
export async function estimateCost(ctx: AccountContext, groups: readonly PricedGroup[]): Promise<CostEstimate> {
  const today = localDay(ctx.clock.now(), ctx.account.timezone);
  const priceOf = await readPrices(ctx, groups);
  const lines = new Map<string, CostEstimate['lines'][number]>();
  const sums = new Map<string, bigint>();
  let unpriced = 0;
  for (const { country, category, count, day = today } of groups) {
    if (count === 0) continue;
    const price = priceOf({ country, category, day });
    if (price) sums.set(price.currency, (sums.get(price.currency) ?? 0n) + inMillionths(price.amount) * BigInt(count));
    else unpriced += count;
    const key = [country, category, price?.currency, price?.amount].join(' ');
    const known = lines.get(key);
    lines.set(key, { country, category, price, count: (known?.count ?? 0) + count });
  }
  return {
    amounts: [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, sum]) => amountOf(currency, sum)),
    unpriced,
    lines: [...lines.values()].toSorted((a, b) => b.count - a.count).slice(0, mostLines),
  };
}

type Wanted = { country: string | null; category: string; day: string };

/** Looks up the price of a country, else that of all others, as it was on a day. */
async function readPrices(
  ctx: AccountContext,
  groups: readonly PricedGroup[],
): Promise<(wanted: Wanted) => Amount | null> {
  const countries = [...new Set(['*', ...groups.flatMap(({ country }) => country ?? [])])];
  const categories = [...new Set(groups.map(({ category }) => category))];
  const { rows } = await sql<Price>`
    select country, category, valid_from::text as valid_from, currency, price::text as price
      from message_price_list
     where account_id = ${ctx.account.id} and country = any(${countries}::text[]) and category = any(${categories}::text[])
     order by valid_from desc
  `.execute(ctx.db);
  const byPlace = Map.groupBy(rows, ({ country, category }) => `${country} ${category}`);
  return ({ country, category, day }) => {
    for (const place of country === null ? ['*'] : [country, '*']) {
      const found = byPlace.get(`${place} ${category}`)?.find((price) => price.valid_from <= day);
      if (found) return { currency: found.currency, amount: shortened(found.price) };
    }
    return null;
  };
}

/** A decimal with at most six places. */
function inMillionths(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole) * millionths + BigInt(part.padEnd(6, '0').slice(0, 6));
}

/** At least two places, and no zeros at the end beyond these. */
export function shortened(text: string): string {
  const [whole = '0', part = ''] = text.split('.');
  return `${whole}.${part.padEnd(2, '0').replace(/(?<=^\d\d.*)0+$/, '')}`;
}

const amountOf = (currency: string, sum: bigint): Amount => ({
  currency,
  amount: shortened(`${sum / millionths}.${String(sum % millionths).padStart(6, '0')}`),
});
