import type { AccountContext } from '#server/context.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { attemptKey, takeAttempt } from '../attempts.ts';
import type { Origin } from '../origin.ts';
import { recordSecurityEvent } from './record-security-event.ts';

const oncePerDay = { max: 1, windowMs: 86_400_000 };

/**
 * Every page load shows the api_key to the session that asks. An event is worth recording when the key goes to another
 * network than the one where the session was opened, whose sign-in is an event already: once a day for each session and
 * network.
 */
export async function recordKeyShown(ctx: AccountContext, origin: Origin): Promise<void> {
  // A caller with the api_key has it already.
  if (ctx.actor.kind !== 'user') return;
  const { tokenHash } = ctx.actor.session;
  const session = await ctx.db
    .selectFrom('sessions')
    .select('ip')
    .where('account_id', '=', ctx.actor.userId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const network = clientNetwork(origin.ip);
  // A session from before places were noted has none to compare with.
  if (!session?.ip || clientNetwork(session.ip) === network) return;
  const key = attemptKey('api-key-shown', tokenHash.toString('hex'), network);
  if ((await takeAttempt(ctx, key, oncePerDay)) !== undefined) return;
  await recordSecurityEvent(ctx, { accountId: ctx.account.id, type: 'api_key_shown', origin });
}
