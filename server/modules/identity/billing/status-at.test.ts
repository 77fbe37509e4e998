import { expect, test } from 'vitest';
import { isOpenAt, statusAt } from './status-at.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

test.each([
  ['active', Infinity, 'active', true],
  ['active', days(0), 'pending', false],
  ['past_due', days(1), 'past_due', true],
  ['past_due', days(0), 'suspended', false],
  ['cancelled', days(1), 'cancelled', true],
  ['cancelled', days(0), 'expired', false],
  ['pending', null, 'pending', false],
  ['expired', days(-1), 'expired', false],
] as const)('%s with access until %s is %s by now', (status, accessUntil, statusNow, isOpen) => {
  expect(statusAt({ status, access_until: accessUntil }, now)).toBe(statusNow);
  expect(isOpenAt(accessUntil, now)).toBe(isOpen);
});
