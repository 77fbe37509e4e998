import type { Condition } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath, ProfileColumn } from '#contracts/field-path.ts';
import { valueAt } from '#server/modules/audience/profiles/index.ts';
import type { ProfileFacts } from '#server/modules/audience/profiles/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import { readTimeMs } from '#contracts/read-time.ts';
import { columnTexts, spelledValues } from './spelled-value.ts';
import { timeThreshold } from './time-threshold.ts';

/** The input of a condition; a profile's row is one. */
export type Matchable = Record<
  Exclude<ProfileColumn, 'phone_is_valid' | 'tags' | 'created_at' | 'updated_at'>,
  string | null
> & {
  phone_is_valid: boolean;
  tags: string[];
  created_at: Date;
  updated_at: Date;
  custom_fields: Record<string, unknown> | null;
  /** Without: nothing is known of them. */
  facts?: ProfileFacts | null;
};

/** Whether a profile matches now. `compileCondition` says the same in SQL, and a test compares the two. */
export function matchesCondition(profile: Matchable, condition: Condition, now: Date): boolean {
  const field = parseFieldPath(condition.fieldPath);
  if (!field) return false;
  const value = fieldValue(profile, field);
  const { operator } = condition;
  switch (operator) {
    case 'equals':
      return isEqual(field, value, condition.value);
    case 'not_equals':
      return !isEqual(field, value, condition.value);
    case 'exists':
      return isThere(value);
    case 'not_exists':
      return !isThere(value);
    case 'before_hours_ago':
    case 'after_hours_ago':
    case 'before_days_ago':
    case 'after_days_ago': {
      const time = readTimeMs(value);
      if (time === undefined) return false;
      const { isBefore, at } = timeThreshold(operator, condition.value, now);
      return isBefore ? time < at.getTime() : time > at.getTime();
    }
    default:
      return assertNever(operator);
  }
}

export function fieldValue(profile: Matchable, field: FieldPath): unknown {
  if (field.kind === 'fact') return profile.facts?.[field.fact] ?? null;
  if (field.kind === 'custom') return valueAt(profile.custom_fields, field.keys);
  const value = profile[field.column];
  // Without a tag there is none.
  if (Array.isArray(value) && value.length === 0) return null;
  return value instanceof Date ? value.toISOString() : value;
}

/** A list equals what one of its members does. */
function isEqual(field: FieldPath, value: unknown, text: string): boolean {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (field.kind === 'column') return columnTexts(field.column, text).some((spelled) => values.includes(spelled));
  return spelledValues(text).some((spelled) => values.includes(spelled));
}

export const isThere = (value: unknown) => value !== undefined && value !== null && value !== '';
