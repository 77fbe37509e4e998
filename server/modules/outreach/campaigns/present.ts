import type { Campaign } from '#contracts/campaigns.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import type { SourceRules } from '#server/modules/audience/topics/index.ts';
import type { Outcomes } from '#server/modules/outreach/outcomes/index.ts';
import { presentTemplateOf } from '#server/modules/outreach/recipients/index.ts';
import { audienceOf } from './audience.ts';
import type { CampaignRow } from './campaign.ts';

/** A campaign with its segment's name, its tallies added up. */
export type CampaignRecord = CampaignRow & {
  segment_name: string | null;
  outcomes: Outcomes;
  rules: SourceRules;
  clicked: number;
};

/** Without contacts:read the segment is its id. */
export function presentCampaignFor(ctx: AccountContext, row: CampaignRecord): Campaign {
  if (isPermitted(ctx.actor, 'contacts:read')) return presentCampaign(row);
  return presentCampaign({ ...row, segment_name: null }, { isHidden: true });
}

export function presentCampaign(row: CampaignRecord, { isHidden = false } = {}): Campaign {
  const audience = audienceOf(row);
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    segment_id: audience.segment_id,
    segment_name: audience.segment_id === null ? null : row.segment_name,
    expression: isHidden ? null : audience.expression,
    exclude_segment_ids: [...audience.exclude_segment_ids],
    audience_project_ids: row.audience_project_ids,
    ...row.rules,
    message: row.message,
    media: row.media,
    template: presentTemplateOf(row),
    status: row.status,
    error: row.error,
    waiting_for: row.waiting_for,
    waiting_until: row.waiting_for === null ? null : (row.waiting_until?.toISOString() ?? null),
    total_count: row.total_count,
    sent_count: row.sent_count,
    failed_count: row.failed_count,
    skipped_count: row.skipped_count,
    delivered_count: row.outcomes.delivered,
    read_count: row.outcomes.read,
    replied_count: row.outcomes.replied,
    opted_out_count: row.outcomes.opted_out,
    clicked_count: row.clicked,
    waiting_count: row.total_count - row.sent_count - row.failed_count - row.skipped_count,
    when: row.scheduled_at?.toISOString() ?? null,
    duration: row.spread_minutes,
    recheck_members: row.recheck_members,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
