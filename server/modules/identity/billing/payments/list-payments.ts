import type { Selectable } from 'kysely';
import type { Payment } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import type { PaymentsTable } from '../tables.ts';

/** The account's payments from the stored history, newest first; the provider is not asked. */
export async function listPayments(ctx: AccountContext, input: { page: number; pageSize: number }) {
  const payments = ctx.db.selectFrom('payments').where('account_id', '=', ctx.account.id);
  const { total } = await payments.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await payments
    .selectAll()
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .limit(input.pageSize)
    .offset((input.page - 1) * input.pageSize)
    .execute();
  return { data: rows.map(presentPayment), total, page: input.page, pageSize: input.pageSize };
}

function presentPayment(row: Selectable<PaymentsTable>): Payment {
  return {
    id: row.id,
    order_id: row.order_id,
    provider: row.provider,
    amount: row.amount_cents / 100,
    currency: row.currency,
    status: row.status,
    paid_at: row.paid_at.toISOString(),
  };
}
