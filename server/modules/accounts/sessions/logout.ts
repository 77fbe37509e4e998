import type { UserContext } from '#server/context.ts';

export async function logout(ctx: UserContext): Promise<undefined> {
  await ctx.db
    .deleteFrom('sessions')
    .where('account_id', '=', ctx.account.id)
    .where('token_hash', '=', ctx.actor.session.tokenHash)
    .execute();
}
