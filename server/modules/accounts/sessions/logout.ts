import type { AccountContext } from '#server/context.ts';

export async function logout(ctx: AccountContext): Promise<undefined> {
  if (!ctx.sessionTokenHash) return;
  await ctx.db
    .deleteFrom('sessions')
    .where('account_id', '=', ctx.account.id)
    .where('token_hash', '=', ctx.sessionTokenHash)
    .execute();
}
