import { expect, test } from 'vitest';
import type { FlowDuration } from '#contracts/flows.ts';
import type { Condition } from '#contracts/conditions.ts';
import { givenAudience } from './audience.ts';
import { audienceWarning } from './audience-warning.ts';

const lastHours = (hours: number, dateFieldPath = 'updated_at'): FlowDuration => ({
  type: 'last_hours',
  hours,
  dateFieldPath,
});
const created = (operator: Condition['operator'], value: string): Condition => ({
  fieldPath: 'created_at',
  operator,
  value,
});

test.each<[string, Condition[], FlowDuration, RegExp]>([
  ['older than the duration reaches', [created('before_days_ago', '3')], lastHours(24), /^Hardly anybody.*24 hours/],
  ['the same in hours', [created('before_hours_ago', '24')], lastHours(24), /^Hardly anybody/],
  ['the duration on the same field', [created('before_days_ago', '3')], lastHours(24, 'created_at'), /^Nobody/],
  [
    'two conditions that exclude each other',
    [created('before_days_ago', '3'), created('after_hours_ago', '72')],
    lastHours(876_000),
    /^Nobody/,
  ],
])('%s: the person is told', (_case, conditions, duration, warning) => {
  expect(audienceWarning(givenAudience({ conditions, duration }))).toMatch(warning);
});

test.each<[string, Condition[], FlowDuration]>([
  ['no condition on time', [{ fieldPath: 'email', operator: 'exists', value: '' }], lastHours(24)],
  ['older than an hour, changed within a day', [created('before_hours_ago', '1')], lastHours(24)],
  ['a window that is open', [created('before_days_ago', '3'), created('after_days_ago', '4')], lastHours(24 * 30)],
  ['a duration long enough on the same field', [created('before_days_ago', '3')], lastHours(96, 'created_at')],
  ['newer than some time', [created('after_days_ago', '30')], lastHours(24)],
])('%s: no warning', (_case, conditions, duration) => {
  expect(audienceWarning(givenAudience({ conditions, duration }))).toBeNull();
});
