import type { Selectable } from 'kysely';
import type { Context } from '#server/context.ts';
import { notifyAtOnce } from '#server/platform/db/notify.ts';
import { operatorActsChannel } from './channels.ts';
import type { OperatorActsTable } from './tables.ts';

type NewAct = {
  operator: string;
  action: string;
  accountId: number | null;
  target: string;
  details: Readonly<Record<string, unknown>>;
};

/** In the transaction of the act, where it has one. */
export async function recordOperatorAct(ctx: Context, act: NewAct): Promise<void> {
  const { operator, action, accountId, target, details } = act;
  const row = {
    at: ctx.clock.now(),
    operator,
    action,
    account_id: accountId,
    target,
    details: JSON.stringify(details),
  };
  await ctx.db.insertInto('operator_acts').values(row).execute();
  const told = { operator, action, accountId, target };
  await notifyAtOnce(ctx.db, { channel: operatorActsChannel, payload: JSON.stringify(told) });
}

/** Every process of the product logs a line for each act. */
export function logOperatorActs({ listener, logger }: Context): void {
  listener.subscribe(operatorActsChannel, (payload) => {
    logger.info({ act: JSON.parse(payload) as unknown }, 'an operator acted');
  });
}

/** The newest first; of all accounts where none is given. */
export function listOperatorActs(
  ctx: Context,
  { accountId, limit }: { accountId: number | undefined; limit: number },
): Promise<Selectable<OperatorActsTable>[]> {
  return ctx.db
    .selectFrom('operator_acts')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
