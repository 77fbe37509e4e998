import { expect, test } from 'vitest';
import { FieldPath } from './conditions.ts';

test.each([
  ['nam', 'Unknown field. Did you mean name?'],
  ['customFields.city', 'Unknown field. Did you mean custom_fields.city?'],
  ['created', 'Unknown field. Did you mean created_at?'],
  ['Email', 'Unknown field. Did you mean email?'],
  ['custom_fields', 'Unknown field'],
  ['city', 'Unknown field'],
])('a field that conditions do not know is told with the nearest one: %s', (path, message) => {
  expect(FieldPath.safeParse(path).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
