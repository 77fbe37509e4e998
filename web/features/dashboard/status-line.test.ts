import { expect, test } from 'vitest';
import { samplePhone } from '#web/testing/samples.ts';
import { statusLine, stepsLeftLine } from './status-line.ts';

const today = (sent: number) => ({ date: '2026-11-21', sent, delivered: 0, failed: 0, received: 0 });
const connected = samplePhone({ is_connected: true });

test.each([
  [[connected, connected, samplePhone()], 1821, '2 phones are connected. 1,821 messages went out today.'],
  [[connected], 1, 'One phone is connected. One message went out today.'],
  [[samplePhone()], 0, 'No phone is connected. No messages went out today.'],
])('%#: %j', (phones, sent, expected) => {
  expect(statusLine(phones, today(sent))).toBe(expected);
});

test('says what the page is for while there is nothing to report', () => {
  expect(statusLine(undefined, today(0))).toMatch(/^What your projects/);
  expect(statusLine([], today(0))).toMatch(/^What your projects/);
  expect(statusLine([connected], undefined)).toMatch(/^What your projects/);
});

test('counts the steps that are left', () => {
  expect([3, 2, 1].map(stepsLeftLine)).toEqual([
    'Three steps left before your first message.',
    'Two steps left before your first message.',
    'One step left: your first message.',
  ]);
});
