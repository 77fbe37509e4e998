import { sql } from 'kysely';
import type { Context, WithdrawnMessage } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';
import type { MessageRow } from '../present.ts';
import { withdrawMessages } from './withdraw-messages.ts';

type Claimed = Pick<MessageRow, 'account_id' | 'id' | 'campaign_id' | 'profile_id' | 'attempts'>;

/** Messages that were never tried and whose recipients belong to their campaign no longer. */
export async function findLeavers(ctx: Context, rows: readonly Claimed[]): Promise<WithdrawnMessage[]> {
  const ofLedgers = rows.flatMap(
    ({ account_id: accountId, id, campaign_id: campaignId, profile_id: profileId, attempts }) =>
      campaignId === null || profileId === null || attempts > 0 ? [] : [{ accountId, id, campaignId, profileId }],
  );
  return ofLedgers.length === 0 ? [] : ctx.recheckClaimed(ctx, ofLedgers);
}

/** Takes those back that were claimed just now; answers their ids. */
export async function withdrawLeavers(ctx: Context, rows: readonly Claimed[]): Promise<ReadonlySet<number>> {
  const left = await findLeavers(ctx, rows);
  for (const [accountId, ofAccount] of Map.groupBy(left, (message) => message.accountId)) {
    const messageIds = ofAccount.map(({ id }) => id);
    await inTransaction(ctx, async (tx) => {
      await lockPhones(tx, accountId);
      await sql`
        update messages set status = 'pending', lease_token = null, network_id = null
         where account_id = ${accountId} and id = any(${messageIds}::bigint[]) and status = 'sending'
      `.execute(tx.db);
      await withdrawMessages(tx, { accountId, messageIds, reason: ofAccount[0]?.reason ?? '' });
    });
  }
  return new Set(left.map(({ id }) => id));
}
