import type { Account, Tx } from '#server/context.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { boundOf, feedLedger, passKeyOf, waitingCount } from '#server/modules/outreach/recipients/index.ts';
import type { Fed } from '#server/modules/outreach/recipients/index.ts';
import { pauseForTemplate } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { spreadAllowance } from '../spread.ts';
import { membersNow } from './members-now.ts';

/** The most recipients that one transaction enqueues: the project's phones are locked meanwhile. */
const largestStep = 200;

export type Feeding = {
  step: CampaignStep;
  /** When there is more to enqueue: at once, at a time, when the phones have drained; undefined: once notified. */
  next: 'now' | 'drained' | Date | undefined;
};

/**
 * Enqueues the next recipients: no more than the phones drain soon and than the spreading allows, each with
 * the campaign's text and the profile as they are now. Runs in the transaction that holds the campaign's lock.
 */
export async function feedCampaign(tx: Tx, campaign: CampaignRow, account: Account): Promise<Feeding> {
  const now = tx.clock.now();
  const bound = await boundOf(tx, campaign);
  if (bound?.hold?.waitingFor === 'template_changed' && waitingCount(campaign) > 0)
    return { step: pauseForTemplate(campaign, now), next: undefined };
  const source = {
    account,
    sourceId: campaign.id,
    projectId: campaign.project_id,
    contentOf: () => ({ template: campaign.message, media: campaign.media, bound }),
    bound,
    passKey: passKeyOf(bound),
    rules: await findRules(tx, { accountId: account.id, source: 'campaign', sourceId: campaign.id }),
    waitingCount: waitingCount(campaign),
    queuedCount: campaign.queued_count,
    waiting: { waitingFor: campaign.waiting_for, waitingUntil: campaign.waiting_until },
  };
  const fed = await feedLedger(tx, campaignLedger, source, {
    most: Math.min(largestStep, spreadAllowance(campaign, now).count),
    after: campaign.fed_until,
    audience: waitingCount(campaign) === 0 ? undefined : await membersNow(tx, account, campaign),
  });
  const step = stepAfter(campaign, fed, now);
  return { step, next: nextAfter({ ...campaign, ...step }, fed, now) };
}

function stepAfter(campaign: CampaignRow, fed: Fed, now: Date): CampaignStep {
  const { handled, waitingFor, waitingUntil, recalled, isPaced } = fed;
  const step: CampaignStep = {
    ...(campaign.waiting_for !== waitingFor && { waiting_for: waitingFor }),
    ...(campaign.waiting_until?.getTime() !== waitingUntil?.getTime() && { waiting_until: waitingUntil }),
    ...(recalled.length > 0 && {
      queued_count: campaign.queued_count - recalled.length,
      fed_until: Math.min(campaign.fed_until, ...recalled.map((profileId) => profileId - 1)),
    }),
  };
  const last = handled.at(-1);
  if (!last) return step;
  const queued = handled.filter(({ outcome }) => outcome.kind === 'queued').length;
  return {
    ...step,
    queued_count: campaign.queued_count - recalled.length + queued,
    skipped_count: campaign.skipped_count + handled.length - queued,
    ...(!isPaced && recalled.length === 0 && { fed_until: last.key }),
    ...(queued > 0 && campaign.started_at === null && { started_at: now }),
  };
}

function nextAfter(
  campaign: CampaignRow,
  { isBlocked, waitingFor, nextAt: pacedUntil }: Fed,
  now: Date,
): Feeding['next'] {
  if (pacedUntil) return pacedUntil;
  if (isBlocked) return waitingFor === null ? 'drained' : undefined;
  if (waitingCount(campaign) === 0) return undefined;
  const { count, nextAt } = spreadAllowance(campaign, now);
  return count === 0 ? nextAt : 'now';
}
