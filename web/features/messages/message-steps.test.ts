import { expect, test } from 'vitest';
import { sampleMessage } from '#web/testing/samples.ts';
import { stepsOf } from './message-steps.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12) + seconds * 1000).toISOString();
const ours = { direction: 'outgoing', created_at: at(0), delivered_at: null } as const;

test('each step says how long after the one before it came', () => {
  const message = sampleMessage({
    ...ours,
    sent_at: at(136),
    delivered_at: at(138),
    read_at: at(7400),
    status: 'read',
  });
  expect(stepsOf(message).map(({ name, after }) => [name, after])).toEqual([
    ['Accepted', undefined],
    ['Sent', '+2m 16s'],
    ['Delivered', '+2s'],
    ['Read', '+2h 1m'],
  ]);
});

test('a failure ends the way, with its reason', () => {
  const message = sampleMessage({ ...ours, sent_at: null, status: 'failed', error: 'Not on WhatsApp' });
  expect(stepsOf(message).map(({ name, note }) => [name, note])).toEqual([
    ['Accepted', undefined],
    ['Failed', 'Not on WhatsApp'],
  ]);
});

test('an incoming message was sent, then received', () => {
  expect(stepsOf(sampleMessage({ sent_at: at(0), created_at: at(3) })).map(({ name }) => name)).toEqual([
    'Sent',
    'Received',
  ]);
});
