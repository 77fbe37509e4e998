import { accountHoldAt } from '#server/account-access.ts';
import type { AccountHold } from '#server/account-access.ts';
import type { Account, Context, Tx } from '#server/context.ts';
import { inStep } from '#server/modules/outreach/recipients/index.ts';
import type { SourceStep } from '#server/modules/outreach/recipients/index.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { conclude, firstStatus, isDone } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';
import { saveCampaign, takeCampaign } from '../queries.ts';
import type { CampaignRef } from '../queries.ts';
import { cancelledReason, recallQueued, withdrawQueued } from '../recall-queued.ts';
import { commonReason } from './common-reason.ts';
import { feedCampaign } from './feed-campaign.ts';
import { judgeList } from './judge-list.ts';
import { judgeStanding } from './judge-standing.ts';

/** Like any source's, or that a slice of its snapshot is to be read. */
type Turn = Omit<SourceStep, 'next'> & { next: SourceStep['next'] | 'snapshot' };

const nothingToDo: Turn = { next: undefined, hasChanged: false };

type Decision = { step: CampaignStep; next: Turn['next'] };

/**
 * Takes a campaign one step further, in one transaction: its state, its recipients and their messages are there
 * together or not at all. The lock on it keeps other processes at others.
 */
export async function workOnCampaign(ctx: Context, ref: CampaignRef): Promise<Turn> {
  const source = { ledger: campaignLedger, accountId: ref.accountId, sourceId: ref.campaignId };
  return inStep(ctx, source, async (tx) => {
    const account = await findAccount(tx, ref.accountId);
    const taken = await takeCampaign(tx, ref);
    if (!account || !taken) return lookAfter(tx, ref);
    const { campaign, isTallied } = taken;
    const { step, next } = await decide(tx, campaign, account);
    const hasStepped = Object.keys(step).length > 0;
    const after = hasStepped ? await saveCampaign(tx, campaign, step) : campaign;
    // A message that a phone was sending as the campaign stopped may have come back since.
    if (after.queued_count > 0 && after.status === 'paused') await recallQueued(tx, after);
    if (after.queued_count > 0 && after.status === 'cancelled') await withdrawQueued(tx, after, cancelledReason);
    return { next, hasChanged: hasStepped || isTallied };
  });
}

/** `hold`: why it may not send now. */
type HeldAccount = Account & { hold: AccountHold | null };

async function findAccount(tx: Tx, accountId: number): Promise<HeldAccount | undefined> {
  return tx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .select(accountHoldAt(tx.clock.now()).as('hold'))
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** Somebody else has it, or it is gone and leaves tallies that came after. */
async function lookAfter(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<Turn> {
  const campaign = await tx.db
    .selectFrom('campaigns')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', campaignId)
    .executeTakeFirst();
  if (campaign) return { next: 'busy', hasChanged: false };
  await tx.db
    .deleteFrom('campaign_tallies')
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .execute();
  return nothingToDo;
}

async function decide(tx: Tx, campaign: CampaignRow, account: HeldAccount): Promise<Decision> {
  switch (campaign.status) {
    case 'scheduled': {
      const isDue = firstStatus(campaign.scheduled_at, tx.clock.now()) === 'creating';
      if (!isDue) return { step: {}, next: campaign.scheduled_at ?? 'now' };
      return { step: { status: 'creating' }, next: 'snapshot' };
    }
    case 'creating':
      return { step: {}, next: 'snapshot' };
    case 'running':
      return run(tx, campaign, account);
    case 'completed':
    case 'failed':
      return { step: await outcome(tx, campaign), next: undefined };
    case 'paused':
    case 'cancelled':
      return { step: {}, next: undefined };
  }
}

async function run(tx: Tx, campaign: CampaignRow, account: HeldAccount): Promise<Decision> {
  const { hold } = account;
  if (hold && !isDone(campaign)) {
    const isNoted = campaign.waiting_for === hold;
    return { step: isNoted ? {} : { waiting_for: hold, waiting_until: null }, next: undefined };
  }
  const judged = isDone(campaign) ? {} : await judge(tx, campaign);
  if (judged.status === 'paused') return { step: judged, next: undefined };
  const feeding = await feedCampaign(tx, campaign, account);
  feeding.step = { ...judged, ...feeding.step };
  const after = { ...campaign, ...feeding.step };
  return isDone(after) ? { step: { ...feeding.step, ...(await outcome(tx, after)) }, next: undefined } : feeding;
}

async function judge(tx: Tx, campaign: CampaignRow): Promise<CampaignStep> {
  const list = await judgeList(tx, campaign);
  return list.status === 'paused' ? list : { ...list, ...(await judgeStanding(tx, campaign)) };
}

/** The final step of a campaign; empty where it is known already. */
async function outcome(tx: Tx, campaign: CampaignRow): Promise<CampaignStep> {
  if (!isDone(campaign)) return {};
  const ref = { accountId: campaign.account_id, campaignId: campaign.id };
  const status = campaign.failed_count > 0 ? 'failed' : 'skipped';
  const reason = campaign.sent_count === 0 ? await commonReason(tx, ref, status) : undefined;
  const step = conclude(campaign, reason, tx.clock.now());
  return step.status === campaign.status && step.error === campaign.error ? {} : step;
}
