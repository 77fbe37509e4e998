import { isDeepStrictEqual } from 'node:util';
import type { CampaignChange, NewCampaign, PreviewCampaign } from '#contracts/campaigns.ts';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import {
  createOwnSegment,
  criteriaOf,
  criteriaOfSegment,
  expressionOfAudience,
  fieldsIn,
  getSegmentRow,
  holdSegment,
  requireAudience,
} from '#server/modules/audience/segments/index.ts';
import type { NamedAudience } from '#server/modules/audience/segments/index.ts';
import type { CampaignRow } from './campaign.ts';

type Given = Pick<PreviewCampaign, 'segment_id' | 'expression' | 'exclude_segment_ids'>;

const named = ({ segment_id: id, expression, exclude_segment_ids: left }: Given): NamedAudience => ({
  segment_id: id ?? null,
  expression: expression ?? null,
  exclude_segment_ids: left ?? [],
});

export function audienceOf({ segment_id: id, audience }: Pick<CampaignRow, 'segment_id' | 'audience'>): NamedAudience {
  return audience ?? { segment_id: id, expression: null, exclude_segment_ids: [] };
}

const isSegmentAlone = ({ expression, exclude_segment_ids: left }: NamedAudience) =>
  expression === null && left.length === 0;

/** The people of a campaign that is not saved. */
export async function criteriaOfGiven(ctx: AccountContext, given: Given): Promise<Criteria> {
  const audience = named(given);
  if (audience.segment_id !== null) {
    const row = await getSegmentRow(ctx, audience.segment_id);
    if (isSegmentAlone(audience)) return criteriaOfSegment(ctx, row);
  }
  return criteriaOf(ctx, expressionOfAudience(audience));
}

/** The columns of a campaign that say whom it goes to. */
export type AudienceColumns = Pick<CampaignRow, 'segment_id' | 'audience'>;

type Settings = { audience: NamedAudience; name: string; isAnyAllowed: boolean; kept?: ReadonlySet<string> };

/** Throws 404 for a segment that is not there, 422 for other things that lead nowhere. */
async function settle(tx: Tx<AccountContext>, { audience, name, ...rest }: Settings): Promise<AudienceColumns> {
  const { segment_id: id } = audience;
  if (id !== null) await holdSegment(tx, id);
  if (id !== null && isSegmentAlone(audience)) return { segment_id: id, audience: null };
  await requireAudience(tx, { audience, ...rest });
  return { segment_id: await createOwnSegment(tx, { name, expression: expressionOfAudience(audience) }), audience };
}

export function newAudience(tx: Tx<AccountContext>, input: NewCampaign): Promise<AudienceColumns> {
  return settle(tx, { audience: named(input), name: input.name, isAnyAllowed: input.allow_unknown ?? false });
}

/** Undefined where the change leaves it as it is. Parts that it does not name stay. */
export async function changedAudience(
  tx: Tx<AccountContext>,
  seen: CampaignRow,
  change: CampaignChange,
): Promise<AudienceColumns | undefined> {
  const before = audienceOf(seen);
  const { segment_id: id, expression, exclude_segment_ids: left = before.exclude_segment_ids } = change;
  const isNamed = (id ?? expression ?? undefined) !== undefined;
  const base = isNamed ? { segment_id: id ?? null, expression: expression ?? null } : before;
  const audience: NamedAudience = {
    segment_id: base.segment_id,
    expression: base.expression,
    exclude_segment_ids: left,
  };
  if (isDeepStrictEqual({ ...audience }, { ...before })) return undefined;
  const kept = new Set(before.expression ? fieldsIn(before.expression) : []);
  return settle(tx, { audience, name: seen.name, isAnyAllowed: change.allow_unknown ?? false, kept });
}
