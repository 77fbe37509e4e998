import { expect, test } from 'vitest';
import type { Message } from '#contracts/messages.ts';
import { sampleMessage } from '#web/testing/samples.ts';
import { eventsOf } from './events-of.ts';

const at = (second: number) => `2026-11-20T14:06:0${second}.000Z`;

const sent = (changes: Partial<Message> = {}) =>
  sampleMessage({
    id: 1,
    direction: 'outgoing',
    status: 'read',
    created_at: at(1),
    sent_at: at(2),
    delivered_at: at(3),
    read_at: at(5),
    ...changes,
  });

test('each step of a message is an event with the message as it was then', () => {
  const answer = sampleMessage({ id: 2, direction: 'incoming', status: 'delivered', created_at: at(4) });
  const events = eventsOf([sent(), answer]);
  expect(events.map(({ type, data }) => [type, data.status, data.read_at])).toEqual([
    ['message.sent', 'sent', null],
    ['message.delivered', 'delivered', null],
    ['message.received', 'delivered', answer.read_at],
    ['message.read', 'read', at(5)],
  ]);
});

test('a message that waits has none yet, one that failed says so', () => {
  const waiting = sent({ status: 'pending', sent_at: null, delivered_at: null, read_at: null });
  expect(eventsOf([waiting])).toEqual([]);
  expect(eventsOf([{ ...waiting, status: 'failed' }]).map(({ type }) => type)).toEqual(['message.failed']);
});
