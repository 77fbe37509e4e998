import type { Tx } from '#server/context.ts';
import { endAlerts, raiseAlerts } from '#server/modules/numbers/alerts/index.ts';
import type { CampaignRow } from './campaign.ts';

type Standing = Pick<CampaignRow, 'account_id' | 'id' | 'project_id' | 'name' | 'status' | 'error'>;

const failureOf = ({ account_id: accountId, id: subjectId }: Standing) => ({
  accountId,
  kind: 'campaign_failed' as const,
  subjectId,
});

/** The consequences of a campaign's new status for others, in the transaction that gave it. */
export async function followStatus(tx: Tx, before: Pick<CampaignRow, 'status'>, campaign: Standing): Promise<void> {
  if (campaign.status === 'failed') {
    const facts = { campaign: campaign.name, error: campaign.error ?? 'The reason is not known' };
    const beganAt = tx.clock.now();
    await raiseAlerts(tx, [{ ...failureOf(campaign), projectId: campaign.project_id, facts, beganAt }]);
  } else if (before.status === 'failed') {
    await endAlerts(tx, [failureOf(campaign)], { isOver: false });
  }
}

/** Of one that is deleted there is nothing to be told any more. */
export async function forgetAlerts(tx: Tx, campaign: Standing): Promise<void> {
  const ref = failureOf(campaign);
  await endAlerts(tx, [ref, { ...ref, kind: 'campaign_waiting' }], { isOver: false });
}
