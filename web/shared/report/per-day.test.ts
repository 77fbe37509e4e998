import { expect, test } from 'vitest';
import { perDay } from './per-day.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const none = { sent: 0, delivered: 0, read: 0, replied: 0 };

test('nothing that happened is no day', () => {
  expect(perDay({ step_hours: 1, spans: [] })).toEqual([]);
});

test('the hours of a day are added up, and a day on which nothing happened is there', () => {
  const spans = [
    { ...none, at: at(17, 9), sent: 5, delivered: 4 },
    { ...none, at: at(17, 23), sent: 2 },
    { ...none, at: at(19, 0), delivered: 3, replied: 1 },
  ];
  expect(perDay({ step_hours: 1, spans })).toEqual([
    { ...none, day: '2026-11-17', sent: 7, delivered: 4 },
    { ...none, day: '2026-11-18' },
    { ...none, day: '2026-11-19', delivered: 3, replied: 1 },
  ]);
});

test('of many days the last sixty are shown', () => {
  const spans = [
    { ...none, at: at(1, 9), sent: 1 },
    { ...none, at: new Date(2027, 1, 20, 9).toISOString(), sent: 2 },
  ];
  const days = perDay({ step_hours: 24, spans });
  expect([days.length, days.at(-1)]).toEqual([60, { ...none, day: '2027-02-20', sent: 2 }]);
});
