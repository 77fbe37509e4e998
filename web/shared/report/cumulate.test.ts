import { expect, test } from 'vitest';
import { cumulate } from './cumulate.ts';

const hour = (value: number) => `2026-11-17T${String(value).padStart(2, '0')}:00:00.000Z`;
const at = (value: number) => Date.parse(hour(value));

test('nothing that happened is no line', () => {
  expect(cumulate({ step_hours: 1, spans: [] })).toEqual([]);
});

test('spans are added up, and hours in which nothing happened keep what was', () => {
  const spans = [
    { at: hour(9), sent: 5, delivered: 4, read: 1, replied: 0 },
    { at: hour(12), sent: 0, delivered: 1, read: 2, replied: 1 },
  ];
  expect(cumulate({ step_hours: 1, spans })).toEqual([
    { at: at(9), sent: 0, delivered: 0, read: 0, replied: 0 },
    { at: at(10), sent: 5, delivered: 4, read: 1, replied: 0 },
    { at: at(12), sent: 5, delivered: 4, read: 1, replied: 0 },
    { at: at(13), sent: 5, delivered: 5, read: 3, replied: 1 },
  ]);
});
