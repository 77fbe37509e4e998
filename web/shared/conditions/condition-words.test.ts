import { expect, test } from 'vitest';
import { ConditionOperator, type Condition } from '#contracts/conditions.ts';
import { conditionParts, operatorGroups } from './condition-words.ts';

test.each<[Pick<Condition, 'operator' | 'value'>, string]>([
  [{ operator: 'equals', value: 'trial' }, 'plan equals trial'],
  [{ operator: 'equals', value: '' }, 'plan equals ""'],
  [{ operator: 'not_equals', value: 'trial' }, 'plan does not equal trial'],
  [{ operator: 'exists', value: 'trial' }, 'plan exists'],
  [{ operator: 'not_exists', value: '' }, 'plan does not exist'],
  [{ operator: 'before_hours_ago', value: '1' }, 'plan is before 1 hour ago'],
  [{ operator: 'after_hours_ago', value: '1.5' }, 'plan is after 1.5 hours ago'],
  [{ operator: 'before_days_ago', value: '3' }, 'plan is before 3 days ago'],
  [{ operator: 'after_days_ago', value: '1' }, 'plan is after 1 day ago'],
  [{ operator: 'after_days_ago', value: '' }, 'plan is after … days ago'],
])('%j reads “%s”', (condition, text) => {
  const { path, words, value } = conditionParts({ fieldPath: 'plan', ...condition });
  expect([path, words, value].filter((part) => part !== undefined).join(' ')).toBe(text);
});

test('every operator is in one group', () => {
  expect(operatorGroups.flatMap(({ operators }) => operators)).toEqual(ConditionOperator.options);
});
