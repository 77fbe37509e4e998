import { describe, expect, test } from 'vitest';
import type { Condition } from '#contracts/conditions.ts';
import { questionOf } from './index.ts';
import type { Person } from './index.ts';

const now = new Date(1_790_000_000_123);

describe('the meaning of the operators', () => {
  const profile = (customFields: Record<string, unknown>): Person => ({
    id: 1,
    phone: '14155550100',
    country_code: 'US',
    name: 'Ada',
    email: null,
    status: 'active',
    tags: [],
    phone_is_valid: true,
    created_at: now,
    updated_at: now,
    custom_fields: customFields,
  });
  const matches = (fields: Record<string, unknown>, path: string, operator: Condition['operator'], text = '') =>
    questionOf({ fieldPath: path, operator, value: text }).evaluate(profile(fields), {
      accountId: 1,
      now,
      timezone: 'UTC',
    });

  test.each([
    [true, 'true', true],
    ['true', 'true', true],
    [10, '10', true],
    [10, '10.0', true],
    ['10', '10', true],
    ['10', '10.0', false],
    ['10.0', '10', false],
    ['X', 'x', false],
    [null, 'null', false],
    [['x'], 'x', true],
    [['x', 'y'], 'y', true],
    [['x'], 'z', false],
    [[['x']], 'x', false],
    [[{ a: 'x' }], 'x', false],
    [[10], '10.0', true],
    [-5, '-5', true],
    [[-5], '-5', true],
    [true, 'TRUE', true],
    [true, 'True', true],
    ['TRUE', 'true', true],
    ['True', 'TRUE', true],
    ['TRUE', 'TRUE', true],
    [false, 'FALSE', true],
    [true, 'FALSE', false],
    [true, 'tRUE', false],
    ['tRUE', 'tRUE', true],
  ])('%j equals %j: %j', (stored, text, expected) => {
    expect(matches({ a: stored }, 'custom_fields.a', 'equals', text)).toBe(expected);
    expect(matches({ a: stored }, 'custom_fields.a', 'not_equals', text)).toBe(!expected);
  });

  test.each([
    [{ a: 'x' }, true],
    [{ a: 0 }, true],
    [{ a: false }, true],
    [{ a: {} }, true],
    [{ a: '' }, false],
    [{ a: null }, false],
    [{}, false],
  ])('%j has a: %j', (fields, expected) => {
    expect(matches(fields, 'custom_fields.a', 'exists')).toBe(expected);
    expect(matches(fields, 'custom_fields.a', 'not_exists')).toBe(!expected);
  });

  test.each([
    ['14155550100', true],
    ['+1 (415) 555-0100', true],
    ['1 415 555 0100', true],
    ['+1 415 555 0101', false],
    ['Ada 14155550100', false],
  ])('phone equals %j: %j', (text, expected) => {
    expect(matches({}, 'phone', 'equals', text)).toBe(expected);
    expect(matches({}, 'phone', 'not_equals', text)).toBe(!expected);
  });

  test('a missing field is not equal to anything', () => {
    expect(matches({}, 'custom_fields.a', 'not_equals', 'x')).toBe(true);
  });

  test('a key with a dot is written with a backslash, and is not a path', () => {
    expect(matches({ 'a.b': 'x' }, String.raw`custom_fields.a\.b`, 'equals', 'x')).toBe(true);
    expect(matches({ 'a.b': 'x' }, 'custom_fields.a.b', 'equals', 'x')).toBe(false);
    expect(matches({ a: { b: 'x' } }, 'custom_fields.a.b', 'equals', 'x')).toBe(true);
  });

  test('a time that cannot be read is neither before nor after', () => {
    expect(matches({ a: 'soon' }, 'custom_fields.a', 'before_hours_ago', '0')).toBe(false);
    expect(matches({ a: 'soon' }, 'custom_fields.a', 'after_hours_ago', '0')).toBe(false);
  });
});

test('a search from before a field got its type, or lost it, looks at everybody again', () => {
  const moment = { accountId: 1, now: new Date('2026-11-20T10:00:00Z'), timezone: 'UTC' };
  for (const type of ['number', null] as const) {
    const typed = { type, since: '2026-11-10T00:00:00.000Z' };
    const question = questionOf({ field: 'custom_fields.x', op: 'equals', value: 1, typed });
    expect(question.changedSince(new Date('2026-11-09T00:00:00Z'), moment)).toBeUndefined();
    expect(question.changedSince(new Date('2026-11-11T00:00:00Z'), moment)).toEqual([]);
  }
});
