import { z } from 'zod';
import type { PaymentStatus } from '#contracts/billing.ts';
import type { ProviderPayment } from '../port.ts';

/** GET /v1/billing/subscriptions/{id}/transactions; without a single one PayPal leaves the list out. */
export const TransactionsAnswer = z.object({
  transactions: z
    .array(
      z.object({
        id: z.string().min(1),
        status: z.string(),
        time: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
        amount_with_breakdown: z.object({
          gross_amount: z.object({ currency_code: z.string(), value: z.string().regex(/^-?\d*\.?\d+$/) }),
        }),
      }),
    )
    .optional(),
});

/** A payment that is refunded in part is still paid. A PENDING payment is neither paid nor failed yet. */
const statuses: Readonly<Record<string, PaymentStatus>> = {
  COMPLETED: 'completed',
  PARTIALLY_REFUNDED: 'completed',
  REFUNDED: 'refunded',
  REVERSED: 'reversed',
  DECLINED: 'failed',
  FAILED: 'failed',
};

export function readTransactions({ transactions = [] }: z.output<typeof TransactionsAnswer>): ProviderPayment[] {
  return transactions.flatMap(({ id, status, time, amount_with_breakdown: { gross_amount: amount } }) => {
    const known = statuses[status];
    if (known === undefined) return [];
    const amountCents = Math.round(Math.abs(Number(amount.value)) * 100);
    return [{ id, amountCents, currency: amount.currency_code, status: known, paidAt: time }];
  });
}
