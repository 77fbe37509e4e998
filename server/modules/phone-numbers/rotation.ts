import type { PhoneRow } from './present.ts';

/** What the rotation looks at. */
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
  | 'daily_count'
  | 'rotation_turn'
  | 'restricted_until'
>;

export type Assignment = { kind: 'phone'; phoneId: number } | { kind: 'no_connected_phone' } | { kind: 'daily_limit' };

/** A phone's part in one round of assignments. */
type Turn = { id: number; priority: number; left: number; turn: number };

/** Sandbox phones step back while the project has an active phone of another kind: nothing real goes to a sandbox. */
function eligible(phones: readonly RotationPhone[], now: Date): RotationPhone[] {
  const hasRealPhone = phones.some((phone) => phone.is_active && phone.connector !== 'sandbox');
  return phones.filter(
    (phone) =>
      phone.is_active &&
      phone.status === 'connected' &&
      !(hasRealPhone && phone.connector === 'sandbox') &&
      !(phone.restricted_until && phone.restricted_until > now),
  );
}

/**
 * Chooses a phone for each of `count` messages: the highest priority first, equals by turns with the least recently
 * used first, none above its daily maximum. `today` is the account's calendar day.
 */
export function assignPhones(
  phones: readonly RotationPhone[],
  input: { count: number; today: string; now: Date },
): Assignment[] {
  const connected = eligible(phones, input.now);
  if (connected.length === 0) return Array.from({ length: input.count }, () => ({ kind: 'no_connected_phone' }));
  const turns: Turn[] = connected.map((phone) => ({
    id: phone.id,
    priority: phone.priority,
    left: phone.max_daily_messages - (phone.count_day === input.today ? phone.daily_count : 0),
    turn: phone.rotation_turn,
  }));
  let nextTurn = Math.max(...turns.map(({ turn }) => turn)) + 1;
  return Array.from({ length: input.count }, () => {
    const chosen = nextInTurn(turns);
    if (!chosen) return { kind: 'daily_limit' };
    chosen.left -= 1;
    chosen.turn = nextTurn++;
    return { kind: 'phone', phoneId: chosen.id };
  });
}

function nextInTurn(turns: readonly Turn[]): Turn | undefined {
  return turns
    .filter(({ left }) => left > 0)
    .reduce<Turn | undefined>((best, turn) => (best === undefined || comesBefore(turn, best) ? turn : best), undefined);
}

function comesBefore(a: Turn, b: Turn): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.turn !== b.turn) return a.turn < b.turn;
  return a.id < b.id;
}
