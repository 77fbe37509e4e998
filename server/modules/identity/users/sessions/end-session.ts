import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { cancelAddressChange, lockUser } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { sessionId } from './list-sessions.ts';
import { endSessions } from './sessions.ts';

export async function endSession(ctx: UserContext, input: { sessionId: number; origin: Origin }): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.db
      .selectFrom('sessions')
      .select('token_hash')
      .where('account_id', '=', tx.actor.userId)
      .execute();
    const ended = rows.find(({ token_hash }) => sessionId(token_hash) === input.sessionId);
    if (!ended) throw new NotFoundError('Session');
    await tx.db
      .deleteFrom('sessions')
      .where('account_id', '=', tx.actor.userId)
      .where('token_hash', '=', ended.token_hash)
      .execute();
    await announceCredentials(tx);
    await recordSecurityEvent(tx, { userId: tx.actor.userId, type: 'session_ended', origin: input.origin });
  });
}

/**
 * This session ends too, where it is not excepted, and a change of the address that waits for its link: who fears that
 * somebody else is in wants certainty.
 */
export async function signOutEverywhere(
  ctx: UserContext,
  { except, origin }: { except?: 'current' | undefined; origin: Origin },
): Promise<undefined> {
  const { userId, session } = ctx.actor;
  await inTransaction(ctx, async (tx) => {
    // Locked first: a change of the address that is being asked for comes before this, or finds its session ended.
    const user = await lockUser(tx, userId);
    await endSessions(tx, userId, except === 'current' ? session.tokenHash : undefined);
    await cancelAddressChange(tx, user);
    const detail = except === 'current' ? { detail: 'but for this browser' } : {};
    await recordSecurityEvent(tx, { userId, type: 'signed_out_everywhere', origin, ...detail });
  });
}
