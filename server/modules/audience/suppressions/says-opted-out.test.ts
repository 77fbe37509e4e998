import { expect, test } from 'vitest';
import { saysOptedOut, withoutOptOutWords } from './says-opted-out.ts';

test.each<[string, Record<string, unknown> | null, boolean]>([
  ['active', null, false],
  ['opted_out', null, true],
  ['Opted-Out', null, true],
  ['OPTED OUT', {}, true],
  ['Unsubscribed', null, true],
  ['opted  out', null, false],
  ['', null, false],
  ['active', { opted_out: true }, true],
  ['active', { opted_out: 'TRUE' }, true],
  ['active', { opted_out: false }, false],
  ['active', { opted_out: 'yes' }, false],
  ['active', { opted_out: 1 }, false],
  ['active', { opted_out: [true] }, false],
  ['active', { Opted_Out: true }, false],
])('status %j with %j says so: %s', (status, custom_fields, expected) => {
  expect(saysOptedOut({ status, custom_fields })).toBe(expected);
  const without = withoutOptOutWords({ status, custom_fields });
  expect(saysOptedOut(without)).toBe(false);
  if (!expected) expect(without).toEqual({ status, custom_fields });
});
