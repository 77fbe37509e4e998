import type { Context, ProjectScope } from '#server/context.ts';
import {
  anywhere,
  lastingHold,
  loadContacts,
  loadSenders,
  maySend,
  momentOf,
  recipientOf,
} from '#server/modules/numbers/health/index.ts';
import type { ContactKind, LastingHold, Verdict } from '#server/modules/numbers/health/index.ts';
import { findRotationPhones } from '#server/modules/numbers/phones/index.ts';
import { isGuarded } from './assign-queued.ts';

type Waiting = {
  /** Some of those who wait, in full digits. */
  numbers: readonly string[];
  /** The kinds of contacts of which nobody waits who may be written to now. */
  absent: Readonly<Record<ContactKind, boolean>>;
};

const kinds = ['first', 'known'] as const;

/**
 * The reason why the pace of a project's phones holds recipients back, and until when at the soonest, as `maySend`
 * says; null while sending goes on, or when something else than their pace is in the way.
 */
export async function findPaceHold(
  ctx: Context,
  { account, projectId }: ProjectScope,
  { numbers, absent }: Waiting,
): Promise<LastingHold | null> {
  const phones = await findRotationPhones(ctx, { accountId: account.id, projectIds: [projectId] });
  const moment = momentOf(ctx.clock.now(), account.timezone);
  const usable = phones.filter((phone) => phone.status === 'connected' && phone.is_active && !phone.is_resting);
  if (usable.some((phone) => !isGuarded(phone, moment.now))) return null;
  const phoneIds = usable.map(({ id }) => id);
  const senders = [...(await loadSenders(ctx, account.id, phoneIds, moment))];
  const isMoving = kinds.some(
    (contact) =>
      !absent[contact] &&
      senders.some(([, sender]) => {
        const verdict = maySend(anywhere(sender), { contact, country: undefined, mustWriteFirst: false }, moment);
        return verdict.kind !== 'never' && lastingHold(verdict, moment.now) === null;
      }),
  );
  if (isMoving) return null;
  const contacts = await loadContacts(ctx, phoneIds, numbers);
  const verdicts = senders.flatMap(([id, sender]) => {
    const recipients = numbers.map((number) => recipientOf(contacts, id, number));
    const alike = Map.groupBy(recipients, ({ contact, country, mustWriteFirst }) =>
      [contact, country, mustWriteFirst].join(' '),
    );
    return [...alike.values()].flatMap(([recipient]) => (recipient ? [maySend(sender, recipient, moment)] : []));
  });
  return soonest(verdicts, moment.now);
}

/** Null where one of them may go now, or soon. */
function soonest(verdicts: readonly Verdict[], now: Date): LastingHold | null {
  let first: LastingHold | null = null;
  for (const verdict of verdicts) {
    if (verdict.kind === 'never') continue;
    const hold = lastingHold(verdict, now);
    if (!hold) return null;
    if (!first || hold.until < first.until) first = hold;
  }
  return first;
}
