import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import type { Origin } from '../origin.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';

export async function logout(ctx: UserContext, { origin }: { origin: Origin }): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .deleteFrom('sessions')
      .where('account_id', '=', tx.actor.userId)
      .where('token_hash', '=', ctx.actor.session.tokenHash)
      .execute();
    await announceCredentials(tx);
    await recordSecurityEvent(tx, { userId: tx.actor.userId, type: 'signed_out', origin });
  });
}
