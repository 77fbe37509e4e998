import { sql } from 'kysely';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { loadContacts, loadSenders, maySend, momentOf, recipientOf } from '#server/modules/numbers/health/index.ts';
import { giveCountsBack } from '#server/modules/numbers/phones/index.ts';
import type { RotationPhone } from '#server/modules/numbers/phones/index.ts';
import { isUnsent } from '#server/unsent.ts';
import { isGuarded, isShort } from '../queued/assign-queued.ts';

type Project = { accountId: number; projectId: number };
type Held = { id: number; phone_id: number; recipient: string; counted_day: string | null };

/** A phone has no more in its outbox. */
const largestBatch = 500;

/** Was given its phone by the feeder and has never been tried by it, so that any phone may send it; of `m`. */
const isUntried = sql<boolean>`
  m.status = 'pending' and m.is_queued and m.due_at is not null and m.network_id is null and ${isUnsent('m')}`;

/** Projects in which a phone that is away, or keeps a pace, was given such a message. */
export async function findProjectsWithUntried(ctx: Context): Promise<Project[]> {
  // account-wide: a worker serves all accounts.
  const { rows } = await sql<{ account_id: number; project_id: number }>`
    select distinct p.account_id, p.project_id from phones p
     where (p.status <> 'connected' or exists (select from phone_health h where h.phone_id = p.id))
       and exists (select from messages m where m.phone_id = p.id and ${isUntried})
  `.execute(ctx.db);
  return rows.map(({ account_id: accountId, project_id: projectId }) => ({ accountId, projectId }));
}

/**
 * Takes messages back from phones that cannot send them for long, as they are away, limited or out of their allowance:
 * they wait for any phone of the project again, in their old place, and no phone counts them. The project's phones are
 * locked.
 */
export async function takeBackHeld(tx: Tx<Context & ProjectScope>, phones: readonly RotationPhone[]): Promise<void> {
  const untried = await lockUntried(tx, phones);
  if (untried.length === 0) return;
  const held = await selectHeld(tx, phones, untried);
  if (held.length === 0) return;
  await giveCountsBack(tx, tx.account.id, held);
  await sql`
    update messages set status = 'deferred', is_queued = null, phone_id = null, sender = null, counted_day = null
     where account_id = ${tx.account.id} and id = any(${held.map(({ id }) => id)}::bigint[])
  `.execute(tx.db);
}

async function lockUntried(tx: Tx<Context & ProjectScope>, phones: readonly RotationPhone[]): Promise<Held[]> {
  const now = tx.clock.now();
  const suspects = phones.filter((phone) => phone.status !== 'connected' || isGuarded(phone, now));
  if (suspects.length === 0) return [];
  const { rows } = await sql<Held>`
    select m.id, m.phone_id, m.recipient, m.counted_day from messages m
     where m.account_id = ${tx.account.id} and m.phone_id = any(${suspects.map(({ id }) => id)}::bigint[]) and ${isUntried}
     order by m.id
     limit ${largestBatch}
       for update skip locked
  `.execute(tx.db);
  return rows;
}

async function selectHeld(
  tx: Tx<Context & ProjectScope>,
  phones: readonly RotationPhone[],
  untried: readonly Held[],
): Promise<Held[]> {
  const moment = momentOf(tx.clock.now(), tx.account.timezone);
  const connected = phones.flatMap(({ id, status }) => (status === 'connected' ? [id] : []));
  const senders = await loadSenders(tx, tx.account.id, connected, moment);
  const numbers = untried.map(({ recipient }) => recipient);
  const contacts = await loadContacts(tx, [...senders.keys()], numbers);
  return untried.filter(({ phone_id: phoneId, recipient }) => {
    if (!connected.includes(phoneId)) return true;
    const sender = senders.get(phoneId);
    if (!sender) return false;
    const verdict = maySend(sender, recipientOf(contacts, phoneId, recipient), moment);
    return verdict.kind === 'never' || (verdict.kind === 'later' && !isShort(verdict));
  });
}
