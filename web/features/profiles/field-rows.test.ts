import { expect, test } from 'vitest';
import { fieldRows } from './field-rows.ts';

test('reads nested fields as paths and keeps the rest whole', () => {
  const fields = { shop: 'Larkspur', plan: { name: 'trial', seats: 3, notes: {} }, tags: ['a', 1], gone: null };
  expect(fieldRows(fields)).toEqual([
    { path: 'shop', value: 'Larkspur', isText: true },
    { path: 'plan.name', value: 'trial', isText: true },
    { path: 'plan.seats', value: '3', isText: false },
    { path: 'plan.notes', value: '{}', isText: false },
    { path: 'tags', value: '["a",1]', isText: false },
    { path: 'gone', value: 'null', isText: false },
  ]);
});
