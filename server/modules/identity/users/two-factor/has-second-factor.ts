import type { Context } from '#server/context.ts';

export async function hasSecondFactor(ctx: Context, userId: number): Promise<boolean> {
  const factor = await ctx.db
    .selectFrom('totp_factors')
    .select('account_id')
    .where('account_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return factor !== undefined;
}
