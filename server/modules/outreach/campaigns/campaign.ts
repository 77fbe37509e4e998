import type { Selectable } from 'kysely';
import type { givenRules } from '#contracts/caps.ts';
import type { CampaignChange, CampaignStatus } from '#contracts/campaigns.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { Criteria } from '#contracts/expressions.ts';
import { isSameCarried } from '#server/modules/messaging/media/index.ts';
import { isSameBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { waitingCount } from '#server/modules/outreach/recipients/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { refusePast } from './refuse-past.ts';
import type { CampaignsTable } from './tables.ts';

export type CampaignRow = Selectable<CampaignsTable>;

/** A step of a campaign: the columns that change. */
export type CampaignStep = Partial<Omit<CampaignRow, 'account_id' | 'id'>>;

type Counts = Pick<CampaignRow, 'total_count' | 'queued_count' | 'sent_count' | 'failed_count' | 'skipped_count'>;

const finished: readonly CampaignStatus[] = ['completed', 'failed', 'cancelled'];
export const isFinished = ({ status }: Pick<CampaignRow, 'status'>) => finished.includes(status);

const hasHandedOut = (counts: Counts) => counts.queued_count + counts.sent_count + counts.failed_count > 0;

const hasSnapshot = ({ spread_from }: Pick<CampaignRow, 'spread_from'>) => spread_from !== null;

/** Membership that was checked longer ago than this is checked again. */
const recheckAfterMs = 60 * 60_000;

/** Whether who has left the segment since its members were read is skipped now. */
export function mustRecheck(
  campaign: Pick<CampaignRow, 'recheck_members' | 'snapshot_at' | 'created_at'>,
  now: Date,
): boolean {
  const readAt = campaign.snapshot_at ?? campaign.created_at;
  return campaign.recheck_members ?? now.getTime() - readAt.getTime() > recheckAfterMs;
}

/** The status of a new campaign, or of a campaign whose time was changed. */
export function firstStatus(when: Date | null, now: Date): 'scheduled' | 'creating' {
  return when !== null && when > now ? 'scheduled' : 'creating';
}

export function pause(campaign: CampaignRow, now: Date): CampaignStep {
  if (campaign.status !== 'running' && campaign.status !== 'scheduled') {
    throw new ConflictError('campaign_not_running', 'Only a running or a scheduled campaign can be paused');
  }
  return { status: 'paused', paused_at: now, waiting_for: null };
}

/** Most of the numbers that were tried lately lead nowhere: its owner has to look at the list first. */
export function pauseForList(
  campaign: CampaignRow,
  { missing, lookedUp }: { missing: number; lookedUp: number },
  now: Date,
): CampaignStep {
  const error =
    `The list is bad: ${missing} of the last ${lookedUp} numbers are not on WhatsApp, and sending to such a list ` +
    'gets phones restricted. Remove what is wrong in it, then resume.';
  return { ...pause(campaign, now), error };
}

const decide = 'It goes on once you resume it.';

/** A phone that it sends by was locked: going on as before may cost the number. */
export function pauseForLock(campaign: CampaignRow, { phone }: { phone: string }, now: Date): CampaignStep {
  const error =
    `WhatsApp locked ${phone} while this campaign was running. Look at what it says and to whom it goes: going on as ` +
    `before may cost you the number. ${decide}`;
  return { ...pause(campaign, now), error };
}

/** Hardly anybody answers, which numbers are locked for. */
export function pauseForAnswers(
  campaign: CampaignRow,
  { answered, count }: { answered: number; count: number },
  now: Date,
): CampaignStep {
  const error =
    `Only ${answered} of the last ${count} people who had never written to you answered. Numbers that strangers do not ` +
    `answer get restricted: look at the text and the list. ${decide}`;
  return { ...pause(campaign, now), error, answers_judged_until: now };
}

/** The template is not what was reviewed any more. */
export function pauseForTemplate(campaign: CampaignRow, now: Date): CampaignStep {
  const error = `The template ${campaign.template?.name ?? ''} has changed since it was reviewed. Look at it. ${decide}`;
  return { ...pause(campaign, now), error, waiting_for: 'template_changed', waiting_until: null };
}

/**
 * The time that it was paused is none of the time over which it is spread. Paused before its time, it waits for that
 * again, and starts at once where the time has passed.
 */
export function resume(campaign: CampaignRow, now: Date): CampaignStep {
  if (campaign.status !== 'paused') {
    throw new ConflictError('campaign_not_paused', 'Only a paused campaign can be resumed');
  }
  const { spread_from: from, paused_at: pausedAt } = campaign;
  // Resuming acknowledges the locks until now.
  const settled = {
    locks_seen_until: now,
    ...(campaign.waiting_for !== null && { waiting_for: null }),
    ...(campaign.error !== null && { error: null }),
  };
  if (!from) return { status: firstStatus(campaign.scheduled_at, now), paused_at: null, ...settled };
  const pausedMs = pausedAt ? now.getTime() - pausedAt.getTime() : 0;
  return { status: 'running', paused_at: null, ...settled, spread_from: new Date(from.getTime() + pausedMs) };
}

/** Waiting recipients count as skipped; messages that a phone has and that have not gone out are withdrawn besides. */
export function cancel(campaign: CampaignRow, now: Date): CampaignStep {
  if (isFinished(campaign)) throw new ConflictError('campaign_finished', 'This campaign is over already');
  return {
    status: 'cancelled',
    waiting_for: null,
    paused_at: null,
    skipped_count: campaign.skipped_count + waitingCount(campaign),
    finished_at: now,
    ...unsliced,
  };
}

/** How far a snapshot has come of which some slices are there. */
export type Slicing = {
  snapshot_at: Date;
  snapshot_after: number;
  snapshot_until: number;
  snapshot_condition: Criteria;
};

const unsliced = { snapshot_after: null, snapshot_until: null, snapshot_condition: null };

/** A campaign whose recipients are being read. */
export type CreatingCampaign = Pick<CampaignRow, 'segment_id' | 'audience_project_ids'> & {
  timezone: string;
  slicing: Slicing | undefined;
};

/** Undefined before the first slice. */
export function slicingOf(row: Pick<CampaignRow, keyof Slicing>): Slicing | undefined {
  const { snapshot_at: at, snapshot_after: after, snapshot_until: until, snapshot_condition: condition } = row;
  if (at === null || after === null || until === null || condition === null) return undefined;
  return { snapshot_at: at, snapshot_after: after, snapshot_until: until, snapshot_condition: condition };
}

/** Whether a slice that was read for the campaign as it was `seen` is still the next one. */
export function isAtSlice(campaign: CampaignRow, seen: Pick<CreatingCampaign, 'segment_id' | 'slicing'>): boolean {
  return (
    campaign.status === 'creating' &&
    campaign.segment_id === seen.segment_id &&
    campaign.snapshot_after === (seen.slicing?.snapshot_after ?? null) &&
    campaign.snapshot_until === (seen.slicing?.snapshot_until ?? null)
  );
}

/** `skippedBecause` is the reason of those who were skipped, where there are any; `at` the moment as of which they are. */
export type Snapshot = { total: number; skipped: number; skippedBecause: string | undefined; at: Date };

export function snapshotTaken({ total, skipped, skippedBecause, at }: Snapshot, now: Date): CampaignStep {
  if (total === 0) return failedWith('The segment has no members', now);
  const counts = { total_count: total, skipped_count: skipped };
  if (skipped === total) return { ...counts, ...failedWith(nothingSent(skippedBecause), now) };
  return { ...counts, ...unsliced, status: 'running', spread_from: now, snapshot_at: at, fed_until: 0 };
}

export function failedWith(error: string, now: Date): Omit<CampaignStep, 'audience'> {
  return { status: 'failed', error, waiting_for: null, finished_at: now, ...unsliced };
}

const nothingSent = (reason: string | undefined) => `No message could be sent: ${reason ?? 'the reason is not known'}`;

/** `profileIds` are of those who failed and wait again; a paused campaign stays paused. Throws 409 `campaign_finished` for a cancelled one. */
export function retry(campaign: CampaignRow, profileIds: readonly number[]): CampaignStep {
  if (campaign.status === 'cancelled') {
    throw new ConflictError('campaign_finished', 'This campaign was cancelled: nothing of it is sent any more');
  }
  return {
    ...(campaign.status !== 'paused' && { status: 'running' as const }),
    error: null,
    waiting_for: null,
    finished_at: null,
    failed_count: campaign.failed_count - profileIds.length,
    fed_until: profileIds.reduce((least, id) => Math.min(least, id - 1), campaign.fed_until),
  };
}

/** Whether everybody has been dealt with, and only the outcome is left to say. */
export function isDone(campaign: CampaignRow): boolean {
  return hasSnapshot(campaign) && waitingCount(campaign) === 0 && campaign.queued_count === 0;
}

/** The final status of a campaign without open recipients; late news may turn a failure round. */
export function conclude(campaign: CampaignRow, reason: string | undefined, now: Date): CampaignStep {
  const finishedAt = campaign.finished_at ?? now;
  if (campaign.sent_count === 0) return failedWith(nothingSent(reason), finishedAt);
  return { status: 'completed', error: null, waiting_for: null, finished_at: finishedAt };
}

/** With the file and the segment that were found for those it names. */
export type CampaignEdit = Omit<
  CampaignChange,
  'media' | 'template' | 'segment_id' | 'expression' | 'exclude_segment_ids' | keyof typeof givenRules
> & {
  media?: CarriedMedia | null | undefined;
  template?: StoredBinding | null | undefined;
  segment_id?: number | undefined;
  audience?: CampaignRow['audience'] | undefined;
};

/**
 * The step for a change of a campaign. Fields that stay as they were are never a conflict. Throws 409
 * `campaign_started` and `campaign_finished` for what can no longer be changed.
 */
export function edit(campaign: CampaignRow, change: CampaignEdit, now: Date): CampaignStep {
  refuseLateChanges(campaign, change);
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.message !== undefined && { message: change.message }),
    ...(change.media !== undefined && { media: change.media }),
    ...(change.template !== undefined && { template: change.template }),
    ...(change.project_id !== undefined && { project_id: change.project_id }),
    ...(change.duration !== undefined && !isFinished(campaign) && { spread_minutes: change.duration }),
    ...(change.recheck_members !== undefined && { recheck_members: change.recheck_members }),
    ...editTime(campaign, change, now),
    ...editSegment(campaign, change),
  };
}

/** Whether messages are to be made of another template, or of none. */
export const bindsOther = (before: StoredBinding | null, after: StoredBinding | null | undefined) =>
  after !== undefined && !isSameBinding(before, after);

/** Whether messages are to carry another file, or the same one otherwise. */
export const carriesOther = (before: CarriedMedia | null, after: CarriedMedia | null | undefined) =>
  after !== undefined && !isSameCarried(before, after);

function refuseLateChanges(campaign: CampaignRow, change: CampaignEdit): void {
  const differs = (key: 'message' | 'segment_id' | 'project_id') =>
    change[key] !== undefined && change[key] !== campaign[key];
  const isMoved = differs('segment_id') || differs('project_id');
  if (isFinished(campaign)) {
    const isSpreadAnew = typeof change.duration === 'number' && change.duration !== campaign.spread_minutes;
    const isOther = carriesOther(campaign.media, change.media) || bindsOther(campaign.template, change.template);
    if (differs('message') || isOther || isMoved || isSpreadAnew) {
      throw new ConflictError('campaign_finished', 'This campaign is over: only its name can be changed');
    }
  }
  if (isMoved && hasHandedOut(campaign)) {
    throw new ConflictError(
      'campaign_started',
      'The segment and the project can only be changed before the first message goes out',
    );
  }
}

function editTime(campaign: CampaignRow, { when }: CampaignEdit, now: Date): CampaignStep {
  if (when === undefined) return {};
  const time = when === null ? null : new Date(when);
  if (time?.getTime() === campaign.scheduled_at?.getTime()) return {};
  if (campaign.status === 'scheduled') {
    refusePast(time, now);
    return { scheduled_at: time, status: firstStatus(time, now) };
  }
  if (campaign.status === 'paused' && campaign.spread_from === null && campaign.snapshot_at === null) {
    refusePast(time, now);
    return { scheduled_at: time };
  }
  if (time === null) return {};
  throw isFinished(campaign)
    ? new ConflictError('campaign_finished', 'This campaign is over: only its name can be changed')
    : new ConflictError('campaign_started', 'The time can only be changed before it has come');
}

/** Another segment needs a snapshot of its own; a paused campaign takes it once it is resumed. */
function editSegment(campaign: CampaignRow, { segment_id: segmentId, audience = null }: CampaignEdit): CampaignStep {
  if (segmentId === undefined || segmentId === campaign.segment_id) return {};
  return {
    segment_id: segmentId,
    audience,
    ...(campaign.status === 'running' && { status: 'creating' as const }),
    waiting_for: null,
    spread_from: null,
    snapshot_at: null,
    ...unsliced,
    fed_until: 0,
    total_count: 0,
    skipped_count: 0,
  };
}
