import { describe, expect, test } from 'vitest';
import { assignPhones } from './assign-phones.ts';
import type { RotationPhone } from './assign-phones.ts';

const now = new Date('2026-11-21T10:00:00Z');
const today = '2026-11-21';
const timezone = 'UTC';

function phone(id: number, rest: Partial<RotationPhone> = {}): RotationPhone {
  return {
    id,
    number: `1415555000${id}`,
    connector: 'whatsapp',
    status: 'connected',
    is_active: true,
    priority: 0,
    max_daily_messages: 1000,
    count_day: today,
    count_ends_at: null,
    daily_count: 0,
    rotation_turn: 0,
    is_paced: false,
    is_sticky: true,
    was_refused: false,
    first_stopped_until: null,
    all_stopped_until: null,
    restricted_until: null,
    is_resting: false,
    ...rest,
  };
}

const sandbox = (id: number, rest: Partial<RotationPhone> = {}) => phone(id, { connector: 'sandbox', ...rest });

function assign(phones: RotationPhone[], count: number) {
  return assignPhones(phones, { count, timezone, now }).map((assignment) =>
    assignment.kind === 'phone' ? assignment.phoneId : assignment.kind,
  );
}

describe('assignPhones', () => {
  test.each<[string, RotationPhone[], number, (number | string)[]]>([
    ['equals take turns', [phone(1), phone(2), phone(3)], 5, [1, 2, 3, 1, 2]],
    ['the least recently used goes first', [phone(1, { rotation_turn: 9 }), phone(2, { rotation_turn: 4 })], 2, [2, 1]],
    ['the highest priority goes first', [phone(1), phone(2, { priority: 5 })], 2, [2, 2]],
    [
      'a full phone hands over to the next priority',
      [phone(1), phone(2, { priority: 5, max_daily_messages: 10, daily_count: 9 })],
      3,
      [2, 1, 1],
    ],
    [
      'every phone full',
      [phone(1, { max_daily_messages: 1 }), phone(2, { max_daily_messages: 1, daily_count: 1 })],
      3,
      [1, 'daily_limit', 'daily_limit'],
    ],
    [
      "yesterday's count is over",
      [phone(1, { max_daily_messages: 1, daily_count: 1, count_day: '2026-11-20' })],
      1,
      [1],
    ],
    ['a phone out of the rotation', [phone(1, { is_active: false })], 1, ['phones_inactive']],
    ['a phone that is not connected', [phone(1, { status: 'disconnected' })], 1, ['no_connected_phone']],
    ['no phone', [], 2, ['no_connected_phone', 'no_connected_phone']],
    ['a sandbox alone', [sandbox(1)], 1, [1]],
    ['a sandbox beside a real phone that was only added', [sandbox(1), phone(2, { status: 'created' })], 1, [1]],
    ['a resting sandbox beside a real phone', [sandbox(1, { is_resting: true }), phone(2)], 2, [2, 2]],
    [
      'a resting sandbox beside a real phone that is away',
      [sandbox(1, { is_resting: true }), phone(2, { status: 'disconnected' })],
      1,
      ['sandbox_resting'],
    ],
    [
      'a resting sandbox beside a real phone out of the rotation',
      [sandbox(1, { is_resting: true }), phone(2, { is_active: false })],
      1,
      ['phones_inactive'],
    ],
    ['a resting sandbox alone', [sandbox(1, { is_resting: true })], 1, ['sandbox_resting']],
    [
      'a restricted phone until its time is over',
      [phone(1, { all_stopped_until: new Date('2026-11-21T11:00:00Z') })],
      1,
      ['phones_limited'],
    ],
    [
      'a restricted phone beside a free one',
      [phone(1, { all_stopped_until: new Date('2026-11-21T11:00:00Z'), priority: 9 }), phone(2)],
      1,
      [2],
    ],
    ['a restriction that is over', [phone(1, { all_stopped_until: now })], 1, [1]],
  ])('%s', (_name, phones, count, expected) => {
    expect(assign(phones, count)).toEqual(expected);
  });

  test.each<[string, RotationPhone[], { keep?: number; avoid?: number[] }[], (number | string)[]]>([
    ['one is kept out of turn', [phone(1), phone(2)], [{ keep: 2 }, { keep: 2 }, {}], [2, 2, 1]],
    ['one that is full is not waited for', [phone(1), phone(2, { max_daily_messages: 0 })], [{ keep: 2 }], [1]],
    ['one is avoided', [phone(1), phone(2)], [{ avoid: [1] }, { avoid: [1] }], [2, 2]],
    ['one that is kept is avoided', [phone(1), phone(2)], [{ keep: 1, avoid: [1] }], [2]],
    ['all are avoided', [phone(1)], [{ avoid: [1] }, {}], ['unwanted', 1]],
    ['all are full', [phone(1, { max_daily_messages: 0 })], [{ avoid: [1] }], ['daily_limit']],
  ])('with wishes: %s', (_name, phones, given, expected) => {
    const wishes = given.map(({ keep, avoid }) => ({ keep, avoid: new Set(avoid) }));
    const assignments = assignPhones(phones, { count: wishes.length, timezone, now, wishes });
    expect(assignments.map((each) => (each.kind === 'phone' ? each.phoneId : each.kind))).toEqual(expected);
  });

  test('a kept phone without room is waited for', () => {
    const round = {
      count: 1,
      timezone,
      now,
      room: new Map([
        [1, 0],
        [2, 1],
      ]),
      wishes: [{ keep: 1, avoid: new Set<number>() }],
    };
    expect(assignPhones([phone(1), phone(2)], round)).toEqual([{ kind: 'no_room' }]);
  });

  test.each<[string, RotationPhone[], [number, number][], (number | string)[]]>([
    [
      'one without room is passed over by its equals',
      [phone(1), phone(2)],
      [
        [1, 1],
        [2, 3],
      ],
      [1, 2, 2, 2, 'no_room'],
    ],
    [
      'never by a lower priority',
      [phone(1), phone(2, { priority: 5 })],
      [
        [1, 9],
        [2, 1],
      ],
      [2, 'no_room'],
    ],
    [
      'one at its maximum hands over all the same',
      [phone(1), phone(2, { priority: 5, max_daily_messages: 1 })],
      [
        [1, 1],
        [2, 9],
      ],
      [2, 1, 'no_room'],
    ],
    ['every phone full, room or not', [phone(1, { max_daily_messages: 1 })], [[1, 9]], [1, 'daily_limit']],
    ['no phone', [], [], ['no_connected_phone']],
  ])('with room: %s', (_name, phones, room, expected) => {
    const assignments = assignPhones(phones, { count: expected.length, timezone, now, room: new Map(room) });
    const chosen = assignments.map((each) => (each.kind === 'phone' ? each.phoneId : each.kind));
    expect(chosen).toEqual(expected);
  });
});
