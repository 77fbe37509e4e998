import { isSimulated } from '#contracts/connectors.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import {
  lastWrittenTo,
  loadContacts,
  loadSenders,
  maySend,
  momentOf,
  recipientOf,
} from '#server/modules/numbers/health/index.ts';
import type { Contacts, Moment, StoredSender, Verdict } from '#server/modules/numbers/health/index.ts';
import { assignPhones } from '#server/modules/numbers/phones/index.ts';
import type { Assignment, RotationPhone, Wish } from '#server/modules/numbers/phones/index.ts';
import { roomOfPhones } from './room-of-phones.ts';

export type QueuedAssignment =
  | Exclude<Assignment, { kind: 'unwanted' }>
  /** No phone may send it now; one may be able to at `at`. */
  | { kind: 'later'; at: Date; why?: WaitingReason }
  /** None ever may, until the recipient has written to one. */
  | { kind: 'must_write_first' }
  /** The phones that could send it take nothing but templates to the recipient now. */
  | { kind: 'window_closed' };

/** Real phones among which messages of a ledger may be shared out. */
export const isSending = ({ connector, status, is_active: isActive }: RotationPhone) =>
  !isSimulated(connector) && status === 'connected' && isActive;

/** A phone whose health decides which messages it may take now. */
export const isGuarded = (phone: RotationPhone, now: Date) =>
  phone.status === 'connected' &&
  phone.is_active &&
  !phone.is_resting &&
  (phone.is_paced || phone.was_refused || (phone.first_stopped_until !== null && phone.first_stopped_until > now));

type Choice = {
  contacts: Contacts;
  senders: ReadonlyMap<number, StoredSender>;
  guarded: readonly number[];
  /** The real phones that may send, where who knows one of them is to keep it. */
  keepers: readonly number[];
  moment: Moment;
};

/** `shut` has for each number the phones whose network takes nothing but templates to it now. */
type Asked = { numbers: readonly string[]; shut: readonly ReadonlySet<number>[] };

/** Chooses phones for messages of ledgers, by the recipients' numbers. The project's phones are locked. */
export async function assignQueued(
  tx: Tx<Context & ProjectScope>,
  phones: readonly RotationPhone[],
  { numbers, shut }: Asked,
): Promise<QueuedAssignment[]> {
  const moment = momentOf(tx.clock.now(), tx.account.timezone);
  const round = { count: numbers.length, now: moment.now, timezone: tx.account.timezone };
  const room = await roomOfPhones(tx, phones);
  const guarded = phones.flatMap((phone) => (isGuarded(phone, moment.now) ? [phone.id] : []));
  const real = phones.flatMap((phone) => (isSending(phone) ? [phone.id] : []));
  const keepers = real.length > 1 && phones.every((phone) => phone.is_sticky) ? real : [];
  const isAnyShut = shut.some(({ size }) => size > 0);
  if (guarded.length === 0 && keepers.length === 0 && !isAnyShut)
    return withoutWishes(assignPhones(phones, { ...round, room }));
  const choice = {
    contacts: await loadContacts(tx, [...new Set([...guarded, ...keepers])], numbers),
    senders: await loadSenders(tx, tx.account.id, guarded, moment),
    guarded,
    keepers,
    moment,
  };
  const wishes = numbers.map((number, index) => {
    const wish = wishFor(number, choice);
    return { ...wish, avoid: new Set([...wish.avoid, ...(shut[index] ?? [])]) };
  });
  return assignPhones(phones, { ...round, room, wishes }).map((assignment, index) => {
    if (assignment.kind !== 'unwanted') return assignment;
    const at = wishes[index]?.at;
    if (at) return { kind: 'later', at };
    return { kind: (shut[index]?.size ?? 0) > 0 ? 'window_closed' : 'must_write_first' };
  });
}

const withoutWishes = (assignments: readonly Assignment[]): QueuedAssignment[] =>
  assignments.map((assignment) => {
    if (assignment.kind === 'unwanted') throw new Error('A message was refused for a wish that it has not');
    return assignment;
  });

/** Which phone should take it, which must not, and when the first of those may. */
function wishFor(number: string, { contacts, senders, guarded, keepers, moment }: Choice): Wish & { at?: Date } {
  const verdicts = new Map(
    guarded.flatMap((id): [number, Verdict][] => {
      const sender = senders.get(id);
      return sender ? [[id, maySend(sender, recipientOf(contacts, id, number), moment)]] : [];
    }),
  );
  const keep = lastWrittenTo(contacts, number, keepers);
  const kept = keep === undefined ? undefined : verdicts.get(keep);
  // A contact who knows a phone waits for its pause between two messages, not for a limit or another day.
  if (kept?.kind === 'later' && isShort(kept)) return { avoid: new Set([...keepers, ...guarded]), at: kept.at };
  const held = [...verdicts].filter(([, { kind }]) => kind !== 'now');
  const ends = held.flatMap(([, verdict]) => (verdict.kind === 'later' ? [verdict.at.getTime()] : []));
  return {
    ...(keep !== undefined && { keep }),
    avoid: new Set(held.map(([id]) => id)),
    ...(ends.length > 0 && { at: new Date(Math.min(...ends)) }),
  };
}

/** A pause between two messages is no reason for another phone. */
export const isShort = ({ why }: Extract<Verdict, { kind: 'later' }>) =>
  why === 'gap' || why === 'in_flight' || why === 'hourly';
