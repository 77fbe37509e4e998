import type { Campaign, CampaignChange } from '#contracts/campaigns.ts';
import { hasEnded } from '../campaign-state.ts';
import { locksOf } from './campaign-locks.ts';

const minuteMs = 60_000;

/** The form has no seconds. */
const minuteOf = (when: string | null) => (when === null ? null : Math.floor(Date.parse(when) / minuteMs));

const isOtherExpression = (before: Campaign['expression'], after: CampaignChange['expression']) =>
  after !== undefined && JSON.stringify(after) !== JSON.stringify(before);

/**
 * Whether a change of a campaign is reviewed like a new one: while nobody has got it, and unless it is of its name
 * alone.
 */
export function needsReview(campaign: Campaign, change: CampaignChange): boolean {
  if (hasEnded(campaign) || locksOf(campaign).target !== undefined) return false;
  const keys = ['message', 'segment_id', 'project_id', 'duration'] as const;
  const isOther = keys.some((key) => change[key] !== undefined && change[key] !== campaign[key]);
  const left = change.exclude_segment_ids;
  return (
    isOther ||
    (left !== undefined && left.join() !== campaign.exclude_segment_ids.join()) ||
    isOtherExpression(campaign.expression, change.expression) ||
    (change.topic_id !== undefined && change.topic_id !== campaign.topic_id) ||
    change.media !== undefined ||
    change.template !== undefined ||
    (change.when !== undefined && minuteOf(change.when) !== minuteOf(campaign.when))
  );
}
