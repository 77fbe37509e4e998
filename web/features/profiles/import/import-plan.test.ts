import { expect, test } from 'vitest';
import { findPlanProblem, isSamePlan, type Plan } from './import-plan.ts';

const plan = (...fields: (string | null)[]): Plan => ({ fields, types: fields.map(() => 'text'), country: null });

test.each<[string, Plan, string | undefined]>([
  ['a phone alone', plan('phone', null), undefined],
  ['a custom field', plan('phone', 'custom_fields.shop'), undefined],
  ['no phone', plan('name', null), 'Choose the column that holds the phone number.'],
  ['a custom field without a name', plan('phone', 'custom_fields.'), 'Give every custom field a name.'],
  ['a custom field with a missing key', plan('phone', 'custom_fields.a..b'), 'Give every custom field a name.'],
  ['one field twice', plan('phone', 'name', 'name'), 'Two columns go to Name. Leave one of them out.'],
  ['several columns left out', plan('phone', null, null), undefined],
])('judges %s', (_, judged, problem) => {
  expect(findPlanProblem(judged)).toBe(problem);
});

test('knows a changed plan', () => {
  expect(isSamePlan(plan('phone', null), plan('phone', null))).toBe(true);
  expect(isSamePlan(plan('phone', null), plan('phone', 'name'))).toBe(false);
  expect(isSamePlan(plan('phone'), { ...plan('phone'), country: 'US' })).toBe(false);
  expect(isSamePlan(plan('phone'), { ...plan('phone'), types: ['number'] })).toBe(false);
});
