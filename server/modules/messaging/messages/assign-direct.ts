import { isSimulated } from '#contracts/connectors.ts';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { lastWrittenTo, loadContacts, recipientOf } from '#server/modules/numbers/health/index.ts';
import { assignPhones } from '#server/modules/numbers/phones/index.ts';
import type { Assignment, Moment, RotationPhone, Wish } from '#server/modules/numbers/phones/index.ts';

export type DirectAssignment =
  | Exclude<Assignment, { kind: 'unwanted' }>
  | { kind: 'must_write_first' }
  | { kind: 'window_closed' };

/** `phoneId`: no other phone will do. */
type Recipient = { to: string; phoneId?: number | undefined };

/** `shut` has for each recipient the phones whose network takes nothing but templates to them now. */
type Asked = { recipients: readonly Recipient[]; shut: readonly ReadonlySet<number>[] };

/**
 * Chooses phones for messages whose callers wait for them, by the recipients' numbers. They keep no pace, but none goes by
 * a phone whose network refuses it. The project's phones are locked.
 */
export async function assignDirect(
  tx: Tx<Context & ProjectScope>,
  phones: readonly RotationPhone[],
  { recipients, shut }: Asked,
): Promise<DirectAssignment[]> {
  const now = tx.clock.now();
  const numbers = recipients.map(({ to }) => to);
  const pins = recipients.map(({ phoneId }) => (phoneId === undefined ? undefined : pinOn(phones, phoneId)));
  const round = { count: numbers.length, now, timezone: tx.account.timezone };
  /** The phone that it may go by, or one of several, would take a template. */
  const isShutFor = (index: number) => {
    const ofRecipient = shut[index] ?? noPhones;
    const pin = pins[index]?.keep;
    return pin === undefined ? ofRecipient.size > 0 : ofRecipient.has(pin);
  };
  const isRefused = ({ first_stopped_until: until, was_refused: was }: RotationPhone) =>
    was || (until !== null && until > now);
  const real = phones.filter(
    (phone) => phone.status === 'connected' && phone.is_active && (!isSimulated(phone.connector) || isRefused(phone)),
  );
  const isSticky = real.length > 1 && real.every((phone) => phone.is_sticky);
  // Where nothing was refused and nobody keeps a phone, contacts make no difference.
  if (!isSticky && !real.some(isRefused)) {
    const isAsked = pins.some(Boolean) || shut.some(({ size }) => size > 0);
    const wishes = pins.map((pin = none, index) => ({
      ...pin,
      avoid: new Set([...pin.avoid, ...(shut[index] ?? noPhones)]),
    }));
    return assignPhones(phones, { ...round, ...(isAsked && { wishes }) }).map((assignment, index) => {
      if (assignment.kind !== 'unwanted') return assignment;
      return isShutFor(index) ? { kind: 'window_closed' } : reasonOf(phones, recipients[index], round);
    });
  }
  const phoneIds = real.map(({ id }) => id);
  const contacts = await loadContacts(tx, phoneIds, numbers);
  const wishes = numbers.map((number, index) => {
    const pin = pins[index];
    // A limit that is over says nothing where the number has to write first all the same, or another phone will not do.
    const asked = pin ? real.filter(({ id }) => id === pin.keep) : real;
    const refused = asked.filter(({ id }) => recipientOf(contacts, id, number).mustWriteFirst);
    const limited = asked.filter(
      ({ id, first_stopped_until: until }) =>
        until !== null &&
        until > now &&
        recipientOf(contacts, id, number).contact === 'first' &&
        !refused.some((phone) => phone.id === id),
    );
    return {
      keep: pin ? pin.keep : isSticky ? lastWrittenTo(contacts, number, phoneIds) : undefined,
      avoid: new Set([
        ...[...limited, ...refused].map(({ id }) => id),
        ...(pin?.avoid ?? []),
        ...(shut[index] ?? noPhones),
      ]),
      isHeld: [...limited, ...refused].some(({ id }) => id === pin?.keep),
      ends: limited.flatMap(({ first_stopped_until: until }) => until?.getTime() ?? []),
    };
  });
  return assignPhones(phones, { ...round, wishes }).map((assignment, index) => {
    if (assignment.kind !== 'unwanted') return assignment;
    if (isShutFor(index) && wishes[index]?.ends.length === 0) return { kind: 'window_closed' };
    if (pins[index] && !wishes[index]?.isHeld) return reasonOf(phones, recipients[index], round);
    const ends = wishes[index]?.ends ?? [];
    return ends.length > 0
      ? { kind: 'phones_limited', until: new Date(Math.min(...ends)) }
      : { kind: 'must_write_first' };
  });
}

const noPhones: ReadonlySet<number> = new Set();
const none: Wish = { avoid: noPhones };

/** Nothing but this phone. */
const pinOn = (phones: readonly RotationPhone[], phoneId: number): Wish => ({
  keep: phoneId,
  avoid: new Set(phones.flatMap(({ id }) => (id === phoneId ? [] : [id]))),
});

/** Why the one phone that a message could go by does not take it. */
function reasonOf(phones: readonly RotationPhone[], recipient: Recipient | undefined, at: Moment): DirectAssignment {
  const own = phones.filter(({ id }) => id === recipient?.phoneId);
  const [alone] = assignPhones(own, { ...at, count: 1 });
  // Free by itself: those before it in this round have taken what its maximum left.
  if (!alone || alone.kind === 'phone' || alone.kind === 'unwanted') return { kind: 'no_connected_phone' };
  return alone;
}
