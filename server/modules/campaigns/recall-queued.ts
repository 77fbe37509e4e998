import type { Tx } from '#server/context.ts';
import { recallMessages, withdrawMessages } from '#server/modules/messages/index.ts';
import { rewriteUnsent } from '#server/modules/recipients/index.ts';
import type { CampaignRow } from './campaign.ts';
import { saveCampaign } from './queries.ts';

async function findQueued(tx: Tx, { account_id: accountId, id }: CampaignRow): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('campaign_recipients')
    .select('message_id')
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', id)
    .where('status', '=', 'queued')
    .execute();
  return rows.flatMap(({ message_id: messageId }) => messageId ?? []);
}

/** Takes back for good what was handed to a phone and has not gone out: a phone that is away might send it days later. */
export async function withdrawQueued(tx: Tx, campaign: CampaignRow, reason: string): Promise<void> {
  const messageIds = await findQueued(tx, campaign);
  await withdrawMessages(tx, { accountId: campaign.account_id, messageIds, reason });
}

/** Takes it back to wait in the ledger again. Under the campaign's lock. */
export async function recallQueued(tx: Tx, campaign: CampaignRow): Promise<void> {
  const { account_id: accountId, id } = campaign;
  const messageIds = await recallMessages(tx, { accountId, messageIds: await findQueued(tx, campaign) });
  if (messageIds.length === 0) return;
  const waiting = await tx.db
    .updateTable('campaign_recipients')
    .set({ status: 'waiting', message_id: null, changed_at: null })
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', id)
    .where('status', '=', 'queued')
    .where('message_id', 'in', messageIds)
    .returning('profile_id')
    .execute();
  await saveCampaign(tx, campaign, {
    queued_count: campaign.queued_count - waiting.length,
    fed_until: Math.min(campaign.fed_until, ...waiting.map(({ profile_id: profileId }) => profileId - 1)),
  });
}

/** Gives them the campaign's new text; whom that has nothing to say to is skipped. */
export async function rewriteQueued(tx: Tx, campaign: CampaignRow): Promise<void> {
  const unsent = await tx.db
    .selectFrom('campaign_recipients as r')
    .innerJoin('profiles', (join) =>
      join.onRef('profiles.account_id', '=', 'r.account_id').onRef('profiles.id', '=', 'r.profile_id'),
    )
    .selectAll('profiles')
    .select('r.message_id')
    .where('r.account_id', '=', campaign.account_id)
    .where('r.campaign_id', '=', campaign.id)
    .where('r.status', '=', 'queued')
    .execute();
  await rewriteUnsent(tx, { accountId: campaign.account_id, template: campaign.message, unsent });
}
