import type { DefaultValues } from 'react-hook-form';
import { z } from 'zod';
import { CarriedText } from '#contracts/carried-content.ts';
import { NewCampaign, type Campaign, type CampaignChange } from '#contracts/campaigns.ts';
import { CarriedValue, carriedBody } from '#web/shared/attach/carried-file.ts';
import { capsOf, changedCaps, usualCaps, type CapValue } from '#web/shared/caps/cap-value.ts';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import {
  BoundValue,
  boundValueOf,
  contentOf,
  contentRule,
  isSameBound,
  MessageKind,
} from '#web/shared/whatsapp-template/bound-value.ts';
import { locksOf, type CampaignLocks } from './campaign-locks.ts';
import { toInstant, toWallTime } from './zoned-time.ts';

const maxMinutes = 43_200;
const defaultMinutes = 60;

type Setting = {
  /** The account's, whose clocks the start is told by. */
  timezone: string;
  now: () => number;
  locks: CampaignLocks;
};

const Fields = z.object({
  name: NewCampaign.shape.name,
  project_id: NewCampaign.shape.project_id,
  segment_id: z.int('Choose a segment').positive('Choose a segment').nullable(),
  /** People of its own, in place of a segment. */
  expression: z.custom<Campaign['expression']>(),
  exclude_segment_ids: z.array(z.number()),
  topic_id: z.number().nullable(),
  caps: z.custom<CapValue>(),
  message: CarriedText,
  media: CarriedValue,
  kind: MessageKind,
  template: BoundValue,
  start: z.enum(['now', 'later']),
  /** On the clocks of the account. */
  when: z.string(),
  pace: z.enum(['fast', 'spread']),
  /** In `unit`; not a number while the field is empty. */
  duration: z.number().or(z.nan()),
  unit: z.enum(['minutes', 'hours']),
  recheck: z.enum(['late', 'always', 'never']),
});

export type CampaignValues = z.input<typeof Fields>;
export type CampaignFormOf = FormOf<CampaignValues>;

/** The dialog's fields, which say start and pace as people do. */
export function campaignForm({ timezone, now, locks }: Setting) {
  return Fields.superRefine(...contentRule).superRefine((values, { addIssue }) => {
    if (!values.segment_id && !values.expression) {
      addIssue({ code: 'custom', path: ['segment_id'], message: 'Choose a segment' });
    }
    const startProblem = locks.start === undefined ? findStartProblem(values, timezone, now()) : undefined;
    const paceProblem = locks.pace === undefined ? findPaceProblem(values) : undefined;
    if (startProblem !== undefined) addIssue({ code: 'custom', path: ['when'], message: startProblem });
    if (paceProblem !== undefined) addIssue({ code: 'custom', path: ['duration'], message: paceProblem });
  });
}

function findStartProblem({ start, when }: CampaignValues, timezone: string, now: number): string | undefined {
  if (start === 'now') return undefined;
  const instant = toInstant(when, timezone);
  if (instant === undefined) return 'Choose a date and time';
  return Date.parse(instant) <= now ? 'Choose a time still to come' : undefined;
}

function findPaceProblem(values: CampaignValues): string | undefined {
  if (values.pace === 'fast') return undefined;
  if (!Number.isInteger(values.duration)) return `Enter whole ${values.unit}`;
  const minutes = minutesOf(values);
  if (minutes < 1) return 'Use at least 1 minute';
  return minutes > maxMinutes ? 'Use at most 30 days' : undefined;
}

function minutesOf({ duration, unit }: CampaignValues): number {
  return unit === 'hours' ? duration * 60 : duration;
}

/** The fields of a campaign, or of one that is yet to be made. */
export function valuesOf(campaign: Campaign | undefined, timezone: string): DefaultValues<CampaignValues> {
  const when = campaign?.when ?? null;
  const minutes = campaign?.duration ?? null;
  const isWholeHours = minutes !== null && minutes % 60 === 0;
  return {
    name: campaign?.name ?? '',
    ...(campaign && { project_id: campaign.project_id, segment_id: campaign.segment_id }),
    expression: campaign?.expression ?? null,
    exclude_segment_ids: campaign?.exclude_segment_ids ?? [],
    topic_id: campaign?.topic_id ?? null,
    caps: capsOf(campaign),
    message: campaign?.message ?? '',
    media: campaign?.media ?? null,
    kind: campaign?.template ? 'template' : 'text',
    template: boundValueOf(campaign?.template),
    start: when === null ? 'now' : 'later',
    when: when === null ? '' : toWallTime(when, timezone),
    pace: minutes === null ? 'fast' : 'spread',
    duration: isWholeHours ? minutes / 60 : (minutes ?? defaultMinutes),
    unit: isWholeHours ? 'hours' : 'minutes',
    recheck: recheckOf(campaign?.recheck_members ?? null),
  };
}

function recheckOf(isRechecked: boolean | null): CampaignValues['recheck'] {
  if (isRechecked === null) return 'late';
  return isRechecked ? 'always' : 'never';
}

type AudienceValues = Pick<CampaignValues, 'segment_id' | 'expression' | 'exclude_segment_ids'>;

/** Whom a campaign goes to, as the server takes it: it names what there is. */
export function audienceOf({ segment_id, expression, exclude_segment_ids: left }: AudienceValues) {
  const people = expression === null ? { segment_id } : { expression };
  return { ...people, ...(left.length > 0 && { exclude_segment_ids: left }) };
}

/** The body to send to the server. */
export function bodyOf(values: CampaignValues, timezone: string): NewCampaign {
  const { name, project_id, segment_id, expression, exclude_segment_ids } = values;
  const { message, media, template } = contentOf(values);
  return {
    name,
    project_id,
    ...audienceOf({ segment_id, expression, exclude_segment_ids }),
    ...(values.topic_id !== null && { topic_id: values.topic_id }),
    ...changedCaps(values.caps, usualCaps),
    message,
    ...(media !== null && { media: carriedBody(media) }),
    ...(template !== null && { template }),
    when: values.start === 'now' ? null : (toInstant(values.when, timezone) ?? null),
    duration: values.pace === 'fast' ? null : minutesOf(values),
    recheck_members: values.recheck === 'late' ? null : values.recheck === 'always',
  };
}

/** Of an existing campaign only what can still be changed is sent: the rest would be refused. */
export function changeOf(campaign: Campaign, values: CampaignValues, timezone: string): CampaignChange {
  const body = bodyOf(values, timezone);
  const { name, project_id, segment_id, expression } = body;
  const { exclude_segment_ids } = values;
  const isOtherLeft = exclude_segment_ids.join() !== campaign.exclude_segment_ids.join();
  const audience = expression ? { expression } : { segment_id };
  const { when, duration, recheck_members } = body;
  const locks = locksOf(campaign);
  return {
    name,
    ...(locks.target === undefined && { project_id, ...audience }),
    ...(locks.target === undefined && isOtherLeft && { exclude_segment_ids }),
    ...(locks.message === undefined && changedCaps(values.caps, campaign)),
    ...(locks.message === undefined && values.topic_id !== campaign.topic_id && { topic_id: values.topic_id }),
    ...(locks.message === undefined && changedContent(values, campaign)),
    ...(locks.start === undefined && { when }),
    ...(locks.pace === undefined && { duration }),
    ...(locks.message === undefined && { recheck_members }),
  };
}

/** A text, with the file where it is another one; a template where it is another one. */
function changedContent(
  values: CampaignValues,
  campaign: Campaign,
): Pick<CampaignChange, 'message' | 'media' | 'template'> {
  const { message, media, template } = contentOf(values);
  if (template !== null) {
    const isSame = isSameBound(values.template, boundValueOf(campaign.template));
    return isSame ? {} : { message, media: null, template };
  }
  return {
    message,
    ...(media?.id !== campaign.media?.id && { media: carriedBody(media) }),
    ...(boundValueOf(campaign.template) !== null && { template: null }),
  };
}
