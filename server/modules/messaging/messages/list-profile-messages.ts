import type { Message } from '#contracts/messages.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { getProfileRow } from '#server/modules/audience/profiles/index.ts';
import { presentMessage } from './present.ts';

/** The latest messages to and from a profile, newest first. */
export async function listProfileMessages(
  ctx: AccountContext,
  input: { profileId: number; limit: number },
): Promise<{ data: Message[] }> {
  const profile = await getProfileRow(ctx, input.profileId);
  const rows = await ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profile.id)
    .where(inScope(ctx))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  return { data: rows.map(presentMessage) };
}
