import { expect, test } from 'vitest';
import { byMinute } from './by-minute.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute));
const minute = (of: number, sent: number, read = 0) => ({ at: at(of), sent, delivered: sent, read, replied: 0 });
const span = (of: number, sent: number, read = 0, failed = 0) => ({
  ...minute(of, sent, read),
  failed,
  at: at(of).toISOString(),
});

test('a short run is told minute by minute, its failures with it, and never beyond the moment of the report', () => {
  const minutes = [minute(10, 5), minute(11, 4, 2), minute(14, 1)];
  const failures = [{ at: at(11), count: 1 }];
  const asOf = new Date(at(14).getTime() + 20_000);
  expect(byMinute({ minutes, failures, sent: 10, failed: 1, asOf })).toEqual({
    step_minutes: 1,
    starts_at: at(10).toISOString(),
    ends_at: asOf.toISOString(),
    spans: [span(10, 5), span(11, 4, 2, 1), span(14, 1)],
  });
});

test('reads long after the last message stand outside', () => {
  const found = byMinute({
    minutes: [minute(10, 5), minute(50, 0, 3)],
    failures: [],
    sent: 5,
    failed: 0,
    asOf: at(59),
  });
  expect([found?.ends_at, found?.spans]).toEqual([at(14).toISOString(), [span(10, 5)]]);
});

test('a longer run has longer spans', () => {
  const found = byMinute({
    minutes: [minute(0, 5), minute(1, 1), minute(600, 5)],
    failures: [],
    sent: 11,
    failed: 0,
    asOf: at(900),
  });
  expect([found?.step_minutes, found?.spans.map(({ sent }) => sent)]).toEqual([10, [6, 5]]);
});

test.each([
  ['nothing was sent', { minutes: [], sent: 0, failed: 0 }],
  ['minutes do not add up to what was sent', { minutes: [minute(1, 2)], sent: 3, failed: 0 }],
  ['the time of a failure is not known', { minutes: [minute(1, 2)], sent: 2, failed: 1 }],
  ['sending took more than a day', { minutes: [minute(1, 2), minute(1500, 1)], sent: 3, failed: 0 }],
])('there is none where %s', (_case, source) => {
  const failures = source.failed > 0 ? [{ at: null, count: 1 }] : [];
  expect(byMinute({ ...source, failures, asOf: at(2000) })).toBeNull();
});
