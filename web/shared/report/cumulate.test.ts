import { expect, test } from 'vitest';
import { cumulate } from './cumulate.ts';

const hour = (value: number, minute = 0) =>
  `2026-11-17T${String(value).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000Z`;
const at = (value: number, minute = 0) => Date.parse(hour(value, minute));
const none = { sent: 0, delivered: 0, read: 0, replied: 0 };
const spans = [
  { at: hour(9), sent: 5, delivered: 4, read: 1, replied: 0 },
  { at: hour(12), sent: 0, delivered: 1, read: 2, replied: 1 },
];

test('nothing that happened is no line', () => {
  expect(cumulate({ as_of: hour(9), over_time: { step_hours: 1, spans: [] }, by_minute: null })).toEqual([]);
});

test('spans are added up, and hours in which nothing happened keep what was', () => {
  expect(cumulate({ as_of: hour(20), over_time: { step_hours: 1, spans }, by_minute: null })).toEqual([
    { ...none, at: at(9) },
    { at: at(10), sent: 5, delivered: 4, read: 1, replied: 0 },
    { at: at(12), sent: 5, delivered: 4, read: 1, replied: 0 },
    { at: at(13), sent: 5, delivered: 5, read: 3, replied: 1 },
  ]);
});

test('no line leads beyond the moment of the report', () => {
  const points = cumulate({ as_of: hour(12, 10), over_time: { step_hours: 1, spans }, by_minute: null });
  expect(points.at(-1)).toEqual({ at: at(12, 10), sent: 5, delivered: 5, read: 3, replied: 1 });
});

test('sending is told by the minute, and what came hours later after it', () => {
  const byMinute = {
    step_minutes: 1,
    starts_at: hour(9, 30),
    ends_at: hour(9, 35),
    spans: [
      { at: hour(9, 30), sent: 3, failed: 0, delivered: 3, read: 0, replied: 0 },
      { at: hour(9, 31), sent: 2, failed: 1, delivered: 1, read: 1, replied: 0 },
    ],
  };
  const points = cumulate({ as_of: hour(20), over_time: { step_hours: 1, spans }, by_minute: byMinute });
  expect(points.map((point) => [new Date(point.at).toISOString(), point.sent, point.read])).toEqual([
    [hour(9, 30), 0, 0],
    [hour(9, 31), 3, 0],
    [hour(9, 32), 5, 1],
    [hour(10), 5, 1],
    [hour(12), 5, 1],
    [hour(13), 5, 3],
  ]);
});
