import type { Condition } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FlowDuration } from '#contracts/flows.ts';
import { assertNever } from '#server/platform/errors.ts';

/**
 * A duration as conditions, so that its dates are read as theirs are. A time that cannot be read lies in no duration,
 * nor does one that has not come yet; but a column of ours is never ahead by more than two machines' clocks differ, and
 * is not held against the profile.
 */
export function durationConditions(duration: FlowDuration): Condition[] {
  const fieldPath = duration.dateFieldPath;
  const isColumn = parseFieldPath(fieldPath)?.kind === 'column';
  const notBefore: Condition = { fieldPath, ...spanOf(duration) };
  return isColumn ? [notBefore] : [notBefore, { fieldPath, operator: 'before_hours_ago', value: '0' }];
}

function spanOf(duration: FlowDuration): Pick<Condition, 'operator' | 'value'> {
  switch (duration.type) {
    case 'last_minutes':
      return { operator: 'after_hours_ago', value: String(duration.minutes / 60) };
    case 'last_hours':
      return { operator: 'after_hours_ago', value: String(duration.hours) };
    case 'last_days':
      return { operator: 'after_days_ago', value: String(duration.days) };
    default:
      return assertNever(duration);
  }
}
