import type { ConditionOperator } from '#contracts/conditions.ts';

/** As an option says it. */
export const operatorLabels: Readonly<Record<ConditionOperator, string>> = {
  equals: 'Equals',
  not_equals: 'Not Equals',
  exists: 'Exists',
  not_exists: 'Not Exists',
  before_hours_ago: 'Before X hours ago',
  after_hours_ago: 'After X hours ago',
  before_days_ago: 'Before X days ago',
  after_days_ago: 'After X days ago',
};

/** Whether the operator compares with a value. */
export function needsValue(operator: ConditionOperator): boolean {
  return operator !== 'exists' && operator !== 'not_exists';
}
