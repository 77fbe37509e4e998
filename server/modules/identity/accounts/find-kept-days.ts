import type { Context } from '#server/context.ts';

/** The accounts that chose how long their messages are kept, and for how many days; in a random order. */
// account-wide: whose time it is, whoever they are.
export async function findKeptDays(ctx: Context): Promise<{ id: number; days: number }[]> {
  const rows = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'messages_kept_days as days'])
    .where('messages_kept_days', 'is not', null)
    .orderBy((eb) => eb.fn('random'))
    .execute();
  return rows.flatMap(({ id, days }) => (days === null ? [] : [{ id, days }]));
}
