import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { countryOfDigits } from '#server/modules/numbers/health/index.ts';

/** How the network counted a delivered message of a phone. */
export type Pricing = { phoneId: number; networkId: string; category: string; isBilled: boolean };

export type Priced = Pick<Pricing, 'phoneId' | 'category' | 'isBilled'> & { country: string | null };

/** Keeps with each message how it was counted, the first time that the network says so. Answers those. */
export async function savePricing(tx: Tx, accountId: number, pricings: readonly Pricing[]): Promise<Priced[]> {
  if (pricings.length === 0) return [];
  const { rows: found } = await sql<{ id: number; recipient: string | null; place: number }>`
    /* prepared: find-unpriced */
    select distinct on (m.id) m.id, m.recipient, x.place::int as place
      from unnest(${pricings.map(({ phoneId }) => phoneId)}::bigint[],
                  ${pricings.map(({ networkId }) => networkId)}::text[]) with ordinality as x (phone_id, network_id, place)
     cross join lateral (
       select id, recipient, media_source from messages
        where phone_id = x.phone_id and network_id = x.network_id and account_id = ${accountId} and direction = 'outgoing'
        limit 1
     ) m
     where m.media_source #> '{details,pricing}' is null
     order by m.id
  `.execute(tx.db);
  const priced = found.flatMap(({ id, recipient, place }) => {
    const pricing = pricings[place - 1];
    if (!pricing) return [];
    const country = recipient === null ? null : (countryOfDigits(recipient) ?? null);
    const { phoneId, category, isBilled } = pricing;
    return [{ id, phoneId, category, isBilled, country }];
  });
  if (priced.length === 0) return [];
  await sql`
    /* prepared: save-pricing, unread */
    update messages m
       set media_source = jsonb_set(coalesce(m.media_source, '{}'), '{details}',
                                    coalesce(m.media_source -> 'details', '{}') || x.pricing)
      from unnest(${priced.map(({ id }) => id)}::bigint[],
                  ${priced.map(({ category, isBilled, country }) => JSON.stringify({ pricing: { category, billed: isBilled, country } }))}::jsonb[])
             as x (id, pricing)
     where m.account_id = ${accountId} and m.id = x.id
  `.execute(tx.db);
  return priced;
}
