import { expect, test } from 'vitest';
import type { FlowFrequency } from '#contracts/flows.ts';
import { frequencyCutoff } from './frequency-cutoff.ts';

const newYork = 'America/New_York';

test.each<[string, FlowFrequency, string, string, string | undefined]>([
  ['never again', { type: 'lifetime', value: null }, 'UTC', '2026-06-10T12:00:00.000Z', undefined],
  [
    'elapsed hours',
    { type: 'once_per_hours', value: 24 },
    'UTC',
    '2026-06-10T12:00:00.001Z',
    '2026-06-09T12:00:00.001Z',
  ],
  // The clocks of New York jumped on 8 March 2026 and went back on 1 November.
  [
    'elapsed hours, whatever the clocks do',
    { type: 'once_per_hours', value: 24 },
    newYork,
    '2026-03-08T16:00:00.000Z',
    '2026-03-07T16:00:00.000Z',
  ],
  [
    'a calendar day of 23 hours',
    { type: 'once_per_days', value: 1 },
    newYork,
    '2026-03-08T16:00:00.000Z',
    '2026-03-07T17:00:00.000Z',
  ],
  [
    'a calendar day of 25 hours',
    { type: 'once_per_days', value: 1 },
    newYork,
    '2026-11-01T17:00:00.000Z',
    '2026-10-31T16:00:00.000Z',
  ],
  [
    'seven days across a change',
    { type: 'once_per_days', value: 7 },
    newYork,
    '2026-11-04T17:00:00.000Z',
    '2026-10-28T16:00:00.000Z',
  ],
  [
    'a time of day that did not exist',
    { type: 'once_per_days', value: 1 },
    newYork,
    '2026-03-09T06:30:00.000Z',
    '2026-03-08T07:00:00.000Z',
  ],
  [
    'a time of day that existed twice',
    { type: 'once_per_days', value: 1 },
    newYork,
    '2026-11-02T06:30:00.000Z',
    '2026-11-01T05:30:00.000Z',
  ],
  [
    'days of another zone',
    { type: 'once_per_days', value: 1 },
    'Asia/Tokyo',
    '2026-03-08T16:00:00.000Z',
    '2026-03-07T16:00:00.000Z',
  ],
])('%s', (_name, frequency, timezone, now, cutoff) => {
  expect(frequencyCutoff(frequency, new Date(now), timezone)?.toISOString()).toBe(cutoff);
});
