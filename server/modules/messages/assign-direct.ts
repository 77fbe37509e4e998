import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { lastWrittenTo, loadContacts, recipientOf } from '#server/modules/phone-health/index.ts';
import { assignPhones } from '#server/modules/phone-numbers/index.ts';
import type { Assignment, RotationPhone } from '#server/modules/phone-numbers/index.ts';

export type DirectAssignment = Exclude<Assignment, { kind: 'unwanted' }> | { kind: 'must_write_first' };

/**
 * Chooses phones for messages whose callers wait for them, by the recipients' numbers. They keep no pace, but none goes by
 * a phone whose network refuses it. The project's phones are locked.
 */
export async function assignDirect(
  tx: Tx<Context & ProjectScope>,
  phones: readonly RotationPhone[],
  numbers: readonly string[],
): Promise<DirectAssignment[]> {
  const now = tx.clock.now();
  const round = { count: numbers.length, now, timezone: tx.account.timezone };
  const isRefused = ({ first_stopped_until: until, was_refused: was }: RotationPhone) =>
    was || (until !== null && until > now);
  const real = phones.filter(
    (phone) => phone.status === 'connected' && phone.is_active && (phone.connector !== 'sandbox' || isRefused(phone)),
  );
  // With one phone that nothing was refused to, contacts make no difference.
  if (real.length <= 1 && !real.some(isRefused)) return assignPhones(phones, round).map(withoutWish);
  const phoneIds = real.map(({ id }) => id);
  const contacts = await loadContacts(tx, phoneIds, numbers);
  const wishes = numbers.map((number) => {
    const strangers = real.filter(({ id }) => recipientOf(contacts, id, number).contact === 'first');
    const limited = strangers.filter(({ first_stopped_until: until }) => until !== null && until > now);
    const refused = strangers.filter(({ id }) => recipientOf(contacts, id, number).mustWriteFirst);
    return {
      keep: lastWrittenTo(contacts, number, phoneIds),
      avoid: new Set([...limited, ...refused].map(({ id }) => id)),
      ends: limited.flatMap(({ first_stopped_until: until }) => until?.getTime() ?? []),
    };
  });
  return assignPhones(phones, { ...round, wishes }).map((assignment, index) => {
    if (assignment.kind !== 'unwanted') return assignment;
    const ends = wishes[index]?.ends ?? [];
    return ends.length > 0
      ? { kind: 'phones_limited', until: new Date(Math.min(...ends)) }
      : { kind: 'must_write_first' };
  });
}

function withoutWish(assignment: Assignment): DirectAssignment {
  if (assignment.kind === 'unwanted') throw new Error('A message was refused for a wish that it has not');
  return assignment;
}
