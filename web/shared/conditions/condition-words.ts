import type { Condition, ConditionOperator } from '#contracts/conditions.ts';

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

export const operatorGroups: readonly { label: string; operators: readonly ConditionOperator[] }[] = [
  { label: 'Text Comparison', operators: ['equals', 'not_equals'] },
  { label: 'Existence', operators: ['exists', 'not_exists'] },
  {
    label: 'Date Comparison',
    operators: ['before_hours_ago', 'after_hours_ago', 'before_days_ago', 'after_days_ago'],
  },
];

/** The operand of an operator: free text, a number of hours or days, or nothing. */
export type ValueKind = 'text' | 'hours' | 'days' | 'none';

const valueKinds: Readonly<Record<ConditionOperator, ValueKind>> = {
  equals: 'text',
  not_equals: 'text',
  exists: 'none',
  not_exists: 'none',
  before_hours_ago: 'hours',
  after_hours_ago: 'hours',
  before_days_ago: 'days',
  after_days_ago: 'days',
};

export function valueKind(operator: ConditionOperator): ValueKind {
  return valueKinds[operator];
}

/** Whether the operator compares with a value. */
export function needsValue(operator: ConditionOperator): boolean {
  return valueKind(operator) !== 'none';
}

/** In a sentence. */
const words: Readonly<Record<ConditionOperator, string>> = {
  equals: 'equals',
  not_equals: 'does not equal',
  exists: 'exists',
  not_exists: 'does not exist',
  before_hours_ago: 'is before',
  after_hours_ago: 'is after',
  before_days_ago: 'is before',
  after_days_ago: 'is after',
};

export type ConditionParts = { path: string; words: string; value?: string };

/** A condition as a part of a sentence: `email` does not exist, `custom_fields.trial_ends_at` is before `3 days ago`. */
export function conditionParts({ fieldPath: path, operator, value }: Condition): ConditionParts {
  const saying = words[operator];
  switch (valueKind(operator)) {
    case 'none':
      return { path, words: saying };
    case 'text':
      return { path, words: saying, value: value === '' ? '""' : value };
    case 'hours':
      return { path, words: saying, value: agoText(value, 'hour') };
    case 'days':
      return { path, words: saying, value: agoText(value, 'day') };
  }
}

/** `3 days ago`, `1 day ago`; `… days ago` while no number is typed. */
function agoText(typed: string, unit: 'hour' | 'day'): string {
  const amount = typed.trim() === '' ? '…' : typed.trim();
  return `${amount} ${Number(amount) === 1 ? unit : `${unit}s`} ago`;
}
