import { expect, test } from 'vitest';
import { sampleMessage } from '#web/testing/samples.ts';
import { threadRows } from './thread-rows.ts';

const at = (day: number, id: number) => sampleMessage({ id, created_at: `2026-11-${day}T10:00:00.000Z` });
const dayOf = (iso: string) => iso.slice(0, 10);
const pending = {
  key: 'p',
  text: 'Hi',
  attachment: undefined,
  at: '2026-11-22T10:00:00.000Z',
  state: 'sending',
  error: undefined,
  override: false,
  replyTo: undefined,
  seenUpTo: undefined,
  hasPreview: true,
  mentions: [],
} as const;

test('the first message of a day heads it, with what is on its way below all others', () => {
  const rows = threadRows([at(21, 3), at(21, 2), at(20, 1)], [pending], {}, { dayOf, isWhole: true });
  expect(rows.map(({ key, day }) => [key, day])).toEqual([
    ['p', '2026-11-22'],
    ['3', undefined],
    ['2', '2026-11-21'],
    ['1', '2026-11-20'],
  ]);
});

test('where older messages are still to come, the oldest known heads no day', () => {
  const rows = threadRows([at(21, 2), at(21, 1)], [], {}, { dayOf, isWhole: false });
  expect(rows.map(({ day }) => day)).toEqual([undefined, undefined]);
});

test('a note and a change stand between the messages by their time', () => {
  const note = {
    id: 7,
    conversation_id: 40,
    text: 'Call her',
    author: null,
    mentions: [],
    created_at: '2026-11-20T12:00:00.000Z',
    edited_at: null,
  };
  const change = {
    id: 8,
    conversation_id: 40,
    author: null,
    assigned_to: null,
    created_at: '2026-11-20T13:00:00.000Z',
  };
  const beside = { notes: [note], changes: [change] };
  const rows = threadRows([at(21, 3), at(20, 1)], [pending], beside, { dayOf, isWhole: true });
  expect(rows.map(({ key, day }) => [key, day])).toEqual([
    ['p', '2026-11-22'],
    ['3', '2026-11-21'],
    ['change 8', undefined],
    ['note 7', undefined],
    ['1', '2026-11-20'],
  ]);
});
