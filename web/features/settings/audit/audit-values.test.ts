import { expect, test } from 'vitest';
import { fieldText, typeText, valueText } from './audit-values.ts';

const names = { members: [{ id: 7, name: 'Grace' }], projects: [{ id: 3, name: 'Shop' }] };

test.each([
  ['assigned_to', 7, 'Grace'],
  ['assigned_to', 8, '8'],
  ['assigned_to', null, 'none'],
  ['project_ids', [3, 4], 'Shop, 4'],
  ['project_ids', null, 'all'],
  ['label_ids', [1, 2], '2'],
  ['is_active', true, 'yes'],
  ['name', 'spring_sale', 'spring_sale'],
  ['status', 'in_progress', 'in progress'],
  ['changes', { import_done: { mail: false } }, 'import done: mail: no'],
  ['name', 'a'.repeat(400), `${'a'.repeat(300)}…`],
])('the value of %s, %j, reads as %s', (field, value, text) => {
  expect(valueText(field, value, names)).toBe(text);
});

test('fields and types have names', () => {
  expect(['max_daily_messages', 'quiet_hours'].map(fieldText)).toEqual(['Messages a day', 'Quiet hours']);
  expect(['phone', 'bulk_run'].map(typeText)).toEqual(['Number', 'Bulk run']);
});
