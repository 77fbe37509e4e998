import type { Campaign } from '#contracts/campaigns.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { pinAnew } from '#server/modules/outreach/recipients/index.ts';
import { cancel, pause, resume } from './campaign.ts';
import type { CampaignRow, CampaignStep } from './campaign.ts';
import { forgetRecipients } from './forget-recipients.ts';
import { presentCampaignFor } from './present.ts';
import { announceCampaign, getCampaignRecord, lockCampaign, saveCampaign, saveUntold } from './queries.ts';
import { cancelledReason, recallQueued, withdrawQueued } from './recall-queued.ts';

type Changed = { before: CampaignRow; after: CampaignRow };
type Change = {
  campaignId: number;
  decide(campaign: CampaignRow, now: Date): CampaignStep;
  /** Further columns of the same step. */
  complete?(tx: Tx<AccountContext>, before: CampaignRow): Promise<CampaignStep>;
  /** No webhook is told of it. */
  isUntold?: boolean;
  /** A further change in the same transaction. */
  follow?(tx: Tx<AccountContext>, changed: Changed): Promise<void>;
};

/** Takes the campaign from one state to the next, under its lock: whoever hands out messages sees it before the next. */
export async function changeCampaign(ctx: AccountContext, change: Change): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    const ref = { accountId: tx.account.id, campaignId: change.campaignId };
    const before = await lockCampaign(tx, ref);
    if (!before) throw new NotFoundError('Campaign');
    const step = change.decide(before, tx.clock.now());
    const save = change.isUntold === true ? saveUntold : saveCampaign;
    const after = await save(tx, before, { ...step, ...(await change.complete?.(tx, before)) });
    await change.follow?.(tx, { before, after });
    await announceCampaign(tx, ref);
    return presentCampaignFor(tx, await getCampaignRecord(tx, change.campaignId));
  });
}

type Pause = { campaignId: number; isUntold?: boolean };

export function pauseCampaign(ctx: AccountContext, { campaignId, isUntold = false }: Pause): Promise<Campaign> {
  return changeCampaign(ctx, {
    campaignId,
    decide: pause,
    isUntold,
    follow: (tx, { after }) => recallQueued(tx, after),
  });
}

export function resumeCampaign(ctx: AccountContext, { campaignId }: { campaignId: number }): Promise<Campaign> {
  return changeCampaign(ctx, {
    campaignId,
    decide: resume,
    async complete(tx, before) {
      const template = await pinAnew(tx, before);
      return template ? { template } : {};
    },
  });
}

export function cancelCampaign(ctx: AccountContext, { campaignId }: { campaignId: number }): Promise<Campaign> {
  return changeCampaign(ctx, {
    campaignId,
    decide: cancel,
    async follow(tx, { before, after }) {
      if (before.status === 'creating') await forgetRecipients(tx, { accountId: tx.account.id, campaignId });
      else await withdrawQueued(tx, after, cancelledReason);
    },
  });
}
