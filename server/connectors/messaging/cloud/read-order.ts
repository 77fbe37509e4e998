import { z } from 'zod';
import { cleanText, currencyOf, decimalOf } from '../network-values.ts';
import type { IncomingContent } from '../port.ts';
import { items, stringOf } from './loose-values.ts';

/** A price may come as a number or as text, in whole units of its currency. */
const Item = z.object({
  quantity: z.coerce.number().int().min(1).max(1_000_000),
  item_price: z.coerce.number().min(0).max(1_000_000_000_000),
  currency: z.string(),
});

const priceDecimals = 3;

/**
 * An order out of a catalogue: Meta names its things, each with a price, and gives it no id.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/messages/order.
 */
export function readOrder(part: Record<string, unknown>): IncomingContent {
  const listed = items.parse(part['product_items']);
  const read = listed.flatMap((item) => Item.safeParse(item).data ?? []);
  const isWhole = read.length > 0 && read.length === listed.length;
  const currencies = new Set(read.map(({ currency }) => currency));
  const [currency] = currencies;
  const thousandths = read.reduce(
    (sum, { item_price: price, quantity }) => sum + BigInt(Math.round(price * 10 ** priceDecimals)) * BigInt(quantity),
    0n,
  );
  return {
    type: 'order',
    text: cleanText(stringOf(part['text'])),
    order: {
      id: null,
      title: null,
      item_count: isWhole ? read.reduce((count, { quantity }) => count + quantity, 0) : null,
      amount: isWhole && currencies.size === 1 ? decimalOf(thousandths, priceDecimals) : null,
      currency: currencies.size === 1 ? currencyOf(currency) : null,
    },
  };
}
