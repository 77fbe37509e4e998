import { expect, test } from 'vitest';
import { countDeltas } from './count-delta.ts';
import type { CountedMessage } from './count-delta.ts';

const at = new Date('2026-11-21T10:00:00Z');

function message(changes: Partial<CountedMessage> = {}): CountedMessage {
  return {
    account_id: 1,
    project_id: 2,
    phone_id: 3,
    direction: 'outgoing',
    status: 'sending',
    created_at: new Date('2026-11-21T09:59:59.999Z'),
    sent_at: null,
    delivered_at: null,
    ...changes,
  };
}

const sent = { status: 'sent', sent_at: at } as const;
const delivered = { status: 'delivered', sent_at: at, delivered_at: at } as const;
const failed = { status: 'failed' } as const;
const nothing = { sent: 0, delivered: 0, failed: 0, received: 0 };

test.each<[string, Partial<CountedMessage> | undefined, Partial<CountedMessage>, Partial<typeof nothing>]>([
  ['an ack', {}, sent, { sent: 1 }],
  ['a delivery', sent, delivered, { delivered: 1 }],
  ['a delivery before its ack', {}, delivered, { sent: 1, delivered: 1 }],
  ['a refusal', {}, failed, { failed: 1 }],
  ['an unknown delivery that did arrive', failed, delivered, { sent: 1, delivered: 1, failed: -1 }],
  ['a message from outside', undefined, { ...delivered, direction: 'incoming' }, { received: 1 }],
])('%s', (_name, before, after, expected) => {
  const [delta, ...more] = countDeltas([{ before: before && message(before), after: message(after) }]);
  expect(more).toEqual([]);
  expect(delta).toMatchObject({ ...nothing, ...expected });
});

test.each<[string, Partial<CountedMessage>, Partial<CountedMessage>]>([
  ['a read receipt', delivered, { ...delivered, status: 'read' }],
  ['a message that waits again', {}, { status: 'pending' }],
])('%s changes no count', (_name, before, after) => {
  expect(countDeltas([{ before: message(before), after: message(after) }])).toEqual([]);
});

test('a message counts in the quarter of an hour of its creation, under its phone and direction', () => {
  expect(countDeltas([{ before: message(), after: message(sent) }])).toEqual([
    {
      accountId: 1,
      projectId: 2,
      phoneId: 3,
      direction: 'outgoing',
      quarterHour: new Date('2026-11-21T09:45:00Z'),
      ...nothing,
      sent: 1,
    },
  ]);
});

test('each row of counts changes once, all in one order', () => {
  const later = { created_at: new Date('2026-11-21T10:00:00Z') };
  const change = (of: Partial<CountedMessage>) => ({ before: message(of), after: message({ ...of, ...sent }) });
  const deltas = countDeltas([
    change({ account_id: 9 }),
    change(later),
    change({ phone_id: 4 }),
    change({}),
    change({ phone_id: null }),
    change({}),
  ]);
  const rows = deltas.map(({ accountId, quarterHour, phoneId, sent: count }) => [
    accountId,
    quarterHour.toISOString().slice(11, 16),
    phoneId,
    count,
  ]);
  expect(rows).toEqual([
    [1, '09:45', 0, 1],
    [1, '09:45', 3, 2],
    [1, '09:45', 4, 1],
    [1, '10:00', 3, 1],
    [9, '09:45', 3, 1],
  ]);
});

test('counts that cancel out within a batch are not written', () => {
  const other = message(failed);
  expect(
    countDeltas([
      { before: message(), after: other },
      { before: other, after: message() },
    ]),
  ).toEqual([]);
});
