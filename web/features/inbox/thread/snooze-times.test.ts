import { expect, test } from 'vitest';
import { snoozeTimes } from './snooze-times.ts';

const labelsOn = (...at: [number, number, number, number, number]) =>
  snoozeTimes(new Date(...at)).map(({ label }) => label);

test('on a Friday it offers three hours, tomorrow, Monday and a week', () => {
  expect(labelsOn(2026, 10, 20, 14, 6)).toEqual([
    'In 3 hours, 17:06',
    'Tomorrow morning, Sat 09:00',
    'Monday, 23 Nov, 09:00',
    'Next week, 27 Nov, 09:00',
  ]);
});

test('a day that has two names is offered once', () => {
  expect(labelsOn(2026, 10, 22, 8, 0)).toEqual([
    'In 3 hours, 11:00',
    'Tomorrow morning, Mon 09:00',
    'Next week, 29 Nov, 09:00',
  ]);
  expect(labelsOn(2026, 10, 23, 8, 0)).toEqual([
    'In 3 hours, 11:00',
    'Tomorrow morning, Tue 09:00',
    'Monday, 30 Nov, 09:00',
  ]);
});
