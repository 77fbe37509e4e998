import type { Condition, TimeOperator } from '#contracts/conditions.ts';
import type { FlowDuration } from '#contracts/flows.ts';
import type { Audience } from '../tables.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const spanMs = (duration: FlowDuration): number => {
  switch (duration.type) {
    case 'last_minutes':
      return duration.minutes * minuteMs;
    case 'last_hours':
      return duration.hours * hourMs;
    case 'last_days':
      return duration.days * dayMs;
  }
};

const spanText = (duration: FlowDuration): string => {
  const [count, unit] =
    duration.type === 'last_minutes'
      ? [duration.minutes, 'minute']
      : duration.type === 'last_hours'
        ? [duration.hours, 'hour']
        : [duration.days, 'day'];
  return count === 1 ? unit : `${count} ${unit}s`;
};

type AgeCondition = Condition & { operator: TimeOperator };
const isOlderThan = (condition: Condition): condition is AgeCondition => condition.operator.startsWith('before_');
const isNewerThan = (condition: Condition): condition is AgeCondition => condition.operator.startsWith('after_');
const ageMs = ({ operator, value }: Condition) => Number(value) * (operator.endsWith('days_ago') ? dayMs : hourMs);

/**
 * The fault of settings that leave nobody, or nobody whom time alone lets in, as a sentence for the flow's editor; null
 * when they look right. Conditions on a field's age and the duration easily exclude each other.
 */
export function audienceWarning({ conditions, duration }: Audience): string | null {
  if (!duration) return null;
  const within = spanMs(duration);
  const { dateFieldPath } = duration;
  for (const older of conditions.filter(isOlderThan)) {
    const bounds = conditions.filter((other) => isNewerThan(other) && other.fieldPath === older.fieldPath).map(ageMs);
    if (older.fieldPath === dateFieldPath) bounds.push(within);
    if (bounds.some((bound) => bound <= ageMs(older))) {
      return `Nobody can match: ${older.fieldPath} cannot be older and newer than the same time.`;
    }
    if (dateFieldPath === 'updated_at' && ageMs(older) >= within) {
      return (
        `Hardly anybody will match: only profiles that were changed in the last ${spanText(duration)} are looked at, ` +
        `and time alone changes none. Choose a longer time, or ${older.fieldPath} as the date field.`
      );
    }
  }
  return null;
}
