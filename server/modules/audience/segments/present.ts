import type { Segment, SegmentMember } from '#contracts/segments.ts';
import { questionOf } from '#server/modules/audience/conditions/index.ts';
import type { MatchingProfile } from '#server/modules/audience/conditions/index.ts';
import type { SegmentRow } from './tables.ts';
import { conditionOf, expressionOfSegment } from './criteria.ts';

export function presentSegment(row: SegmentRow): Segment {
  const condition = conditionOf(row);
  const expression = expressionOfSegment(row);
  return {
    id: row.id,
    name: row.name,
    condition,
    expression,
    served_by: questionOf(condition ?? expression).cost,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentMember(profile: MatchingProfile): SegmentMember {
  return {
    id: profile.id,
    country_code: profile.country_code,
    cc: profile.calling_code,
    phone: profile.phone,
    number: profile.national_number,
    name: profile.name,
  };
}
