import { z } from 'zod';

export const Amount = z.object({
  currency: z.string().describe('ISO 4217, as the price list has it.'),
  amount: z.string().describe('Decimal, such as `12.4350`.'),
});
export type Amount = z.infer<typeof Amount>;

/** The cost of messages of the official API by the account's own price list. */
export const CostEstimate = z.object({
  amounts: z.array(Amount).describe('What it comes to, by currency; empty where no price is known.'),
  unpriced: z.int().nonnegative().describe('How many messages have no known price: these are not in the amounts.'),
  lines: z
    .array(
      z.object({
        country: z.string().nullable().describe('Two letters; null where the number does not tell.'),
        category: z.string().describe('Of the price: `marketing`, `utility`, `authentication` or `service`.'),
        count: z.int().nonnegative().describe('How many messages.'),
        price: Amount.nullable().describe('Of one delivered message; null: no price is known.'),
      }),
    )
    .describe('By country and category, the most messages first; at most 250.'),
});
export type CostEstimate = z.infer<typeof CostEstimate>;
