import type { PhoneRow } from '../tables.ts';
import { messagesToday, openCount } from './daily-count.ts';
import type { Moment } from './daily-count.ts';

/** The columns of a phone that the rotation looks at. */
export type RotationPhone = Pick<
  PhoneRow,
  | 'id'
  | 'number'
  | 'connector'
  | 'status'
  | 'is_active'
  | 'priority'
  | 'max_daily_messages'
  | 'count_day'
  | 'count_ends_at'
  | 'daily_count'
  | 'rotation_turn'
> & {
  /** Its queued messages keep a pace. */
  is_paced: boolean;
  /** Its project wants that who knows one of its phones keeps it. */
  is_sticky: boolean;
  /** The network has refused contacts of it that have to write first since. */
  was_refused: boolean;
  /** Until when the network takes nothing of it to somebody new, and nothing at all. */
  first_stopped_until: Date | null;
  all_stopped_until: Date | null;
  /** Of a number of the official API: until when Meta lets it send nothing, for a reason of the account's. */
  restricted_until: Date | null;
  /** Of a sandbox: it has stepped back for good, as the project has had a phone of another kind connected. */
  is_resting: boolean;
};

/** Why no phone of a project may take a message, whatever has been counted today. */
export type NoPhone =
  | { kind: 'no_connected_phone' }
  | { kind: 'phones_inactive' }
  | { kind: 'sandbox_resting' }
  /** The network restricts all of them; `until` is when the first is free again. */
  | { kind: 'phones_limited'; until: Date };

export type Assignment =
  | { kind: 'phone'; phoneId: number }
  | NoPhone
  /** Every phone is at its maximum; the day of the first of them ends at `until`. */
  | { kind: 'daily_limit'; until: Date }
  /** The phones whose turn it is have no room; only where `room` was given. */
  | { kind: 'no_room' }
  /** None of the phones that the message's wish leaves may take it; only where `wishes` were given. */
  | { kind: 'unwanted' };

/** The wishes of a message for the choice of its phone. */
export type Wish = {
  /** The phone that its recipient knows: taken, or waited for, while it may take messages at all. */
  keep?: number | undefined;
  /** Phones that must not take it. */
  avoid: ReadonlySet<number>;
};

/** A phone's part in one round of assignments; `left` is what its maximum leaves for today. */
type Turn = { id: number; priority: number; left: number; room: number; turn: number };

type Round = Moment & {
  count: number;
  /** How many more each phone takes; one that is full is passed over by its equals, never by a lower priority. */
  room?: ReadonlyMap<number, number>;
  /** In the order of the messages. */
  wishes?: readonly Wish[];
};

/** The phones among which the rotation chooses, or why there are none. Nothing real goes to a sandbox. */
function findEligible(phones: readonly RotationPhone[], now: Date): RotationPhone[] | NoPhone {
  const connected = phones.filter(({ status }) => status === 'connected');
  if (connected.length === 0) return { kind: 'no_connected_phone' };
  const awake = connected.filter((phone) => !phone.is_resting);
  if (awake.length === 0) return { kind: 'sandbox_resting' };
  const active = awake.filter((phone) => phone.is_active);
  if (active.length === 0) return { kind: 'phones_inactive' };
  const free = active.filter(({ all_stopped_until: until }) => !until || until <= now);
  if (free.length > 0) return free;
  const ends = active.flatMap(({ all_stopped_until: until }) => (until ? [until.getTime()] : []));
  return { kind: 'phones_limited', until: new Date(Math.min(...ends)) };
}

/**
 * Chooses a phone for each of `count` messages: the highest priority first, equals by turns with the least recently
 * used first, none above its daily maximum.
 */
export function assignPhones(phones: readonly RotationPhone[], input: Round): Assignment[] {
  const eligible = findEligible(phones, input.now);
  if ('kind' in eligible) return Array.from({ length: input.count }, () => eligible);
  const turns: Turn[] = eligible.map((phone) => ({
    id: phone.id,
    priority: phone.priority,
    left: phone.max_daily_messages - messagesToday(phone, input),
    room: input.room ? (input.room.get(phone.id) ?? 0) : Number.POSITIVE_INFINITY,
    turn: phone.rotation_turn,
  }));
  let nextTurn = Math.max(...turns.map(({ turn }) => turn)) + 1;
  let until: Date | undefined;
  return Array.from({ length: input.count }, (_, index) => {
    const wish = input.wishes?.[index];
    const free = turns.filter(({ left }) => left > 0);
    const below = free.filter(({ id }) => !wish?.avoid.has(id));
    if (free.length > 0 && below.length === 0) return { kind: 'unwanted' };
    if (below.length === 0) return { kind: 'daily_limit', until: (until ??= firstEnd(eligible, input)) };
    const kept = below.find(({ id }) => id === wish?.keep);
    const chosen = kept ? (kept.room > 0 ? kept : undefined) : nextInTurn(below);
    if (!chosen) return { kind: 'no_room' };
    chosen.left -= 1;
    chosen.room -= 1;
    chosen.turn = nextTurn++;
    return { kind: 'phone', phoneId: chosen.id };
  });
}

function firstEnd(phones: readonly RotationPhone[], at: Moment): Date {
  return new Date(Math.min(...phones.map((phone) => openCount(phone, at).endsAt.getTime())));
}

function nextInTurn(turns: readonly Turn[]): Turn | undefined {
  const highest = Math.max(...turns.map(({ priority }) => priority));
  return turns
    .filter(({ priority, room }) => priority === highest && room > 0)
    .reduce<Turn | undefined>((best, turn) => (best === undefined || comesBefore(turn, best) ? turn : best), undefined);
}

function comesBefore(a: Turn, b: Turn): boolean {
  if (a.turn !== b.turn) return a.turn < b.turn;
  return a.id < b.id;
}
