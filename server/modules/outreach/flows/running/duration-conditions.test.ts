import { expect, test } from 'vitest';
import { FlowDuration } from '#contracts/flows.ts';
import { questionOf } from '#server/modules/audience/conditions/index.ts';
import { durationConditions } from './duration-conditions.ts';

const now = new Date('2026-06-10T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function isWithin(duration: object, { updatedAt = now, seen }: { updatedAt?: Date; seen?: unknown }): boolean {
  const profile = {
    id: 1,
    phone: '14155550100',
    country_code: null,
    name: null,
    email: null,
    status: 'active',
    tags: [],
    phone_is_valid: true,
    created_at: now,
    updated_at: updatedAt,
    custom_fields: { seen },
  };
  const conditions = durationConditions(FlowDuration.parse(duration));
  return questionOf({ all: conditions }).evaluate(profile, { accountId: 1, now, timezone: 'UTC' }) === true;
}

test.each<[object, number]>([
  [{ type: 'last_minutes', minutes: 7 }, 7 * minuteMs],
  [{ type: 'last_minutes', minutes: 1 }, minuteMs],
  [{ type: 'last_hours', hours: '24' }, 24 * hourMs],
  [{ type: 'last_days', days: 30 }, 30 * 24 * hourMs],
])('%j ends to the millisecond', (duration, ms) => {
  expect(isWithin(duration, { updatedAt: ago(ms - 1) })).toBe(true);
  expect(isWithin(duration, { updatedAt: ago(ms) })).toBe(false);
  const seen = { ...duration, dateFieldPath: 'custom_fields.seen' };
  expect(isWithin(seen, { seen: ago(ms - 1).toISOString() })).toBe(true);
  expect(isWithin(seen, { seen: ago(ms).getTime() })).toBe(false);
});

test.each<[string, unknown, boolean]>([
  ['a time', ago(minuteMs).toISOString(), true],
  ['milliseconds as digits', String(ago(minuteMs).getTime()), true],
  ['a day', '2026-06-10', true],
  ['a time that has not come', ago(-1).toISOString(), false],
  ['text', 'yesterday', false],
  ['nothing', undefined, false],
  ['null', null, false],
  ['true', true, false],
])('of a custom field: %s', (_name, seen, expected) => {
  expect(isWithin({ type: 'last_hours', hours: 24, dateFieldPath: 'custom_fields.seen' }, { seen })).toBe(expected);
});

test("a profile that another machine's clock dates a little ahead is not left out", () => {
  expect(isWithin({ type: 'last_hours', hours: 1 }, { updatedAt: ago(-200) })).toBe(true);
});
