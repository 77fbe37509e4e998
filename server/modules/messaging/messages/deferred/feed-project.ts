import { sql } from 'kysely';
import { isUnsent } from '#server/unsent.ts';
import { storedBusinessAccount } from '../content/columns.ts';
import { hasAccessAt } from '#server/account-access.ts';
import type { Account, Context, ProjectScope, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import {
  countUses,
  countedDays,
  findPollers,
  findShutPhones,
  lockPhones,
  outboxNotifications,
  phoneOf,
} from '#server/modules/numbers/phones/index.ts';
import type { RotationPhone } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { assignQueued, isGuarded } from '../queued/assign-queued.ts';
import { withdrawShut } from '../queued/withdraw-shut.ts';
import { takeBackHeld } from './take-back-held.ts';

/** `full`: the phones have no more room now; `at`: their pace lets more go then; `waiting`: no phone may take any, or the subscription has ended. */
export type Fed = 'done' | 'full' | 'waiting' | { at: Date };

/** The phones are locked meanwhile. */
const largestBatch = 500;

/** A phone that keeps a pace has sent its last message by then. */
const pacedMs = 3_000;

type Scope = Context & ProjectScope;

/**
 * Gives the project's messages that are due their phones, longest due first: chosen and counted as for a direct send,
 * but no phone takes more than it drains soon. Messages that their phones hold back are among them again.
 */
export async function feedProject(ctx: Context, project: { accountId: number; projectId: number }): Promise<Fed> {
  return inTransaction(ctx, async (plain) => {
    const account = await findPayingAccount(plain, project.accountId);
    if (!account) return 'waiting';
    const tx = { ...plain, account, projectId: project.projectId };
    const phones = await lockPhones(tx);
    await takeBackHeld(tx, phones);
    const due = await lockDue(tx);
    const numbers = due.map(({ recipient }) => recipient);
    const shut = await findShutPhones(tx, phones, due.map(addressed));
    const assignments = await assignQueued(tx, phones, { numbers, shut });
    // A poll waits for a phone that can send it, though others have no window.
    const canPoll = findPollers(phones).length > 0;
    const waits = ({ business, is_poll: isPoll }: Due) => business !== null || (isPoll && canPoll);
    const closed = due.flatMap((each, index) =>
      assignments[index]?.kind === 'window_closed' && !waits(each) ? [each.id] : [],
    );
    if (closed.length > 0) await withdrawShut(tx, { accountId: project.accountId, messageIds: closed });
    const given = due.flatMap(({ id }, index) => {
      const assignment = assignments[index];
      return assignment?.kind === 'phone' ? [{ id, phone: phoneOf(phones, assignment.phoneId) }] : [];
    });
    await giveThemPhones(tx, given);
    if (given.length + closed.length === due.length) return due.length < largestBatch ? 'done' : 'full';
    const ends = assignments.flatMap((assignment) => (assignment.kind === 'later' ? [assignment.at.getTime()] : []));
    if (ends.length > 0) return { at: new Date(Math.min(...ends)) };
    if (!assignments.some(({ kind }) => kind === 'no_room')) return 'waiting';
    const isPaced = phones.some((phone) => isGuarded(phone, tx.clock.now()));
    return isPaced ? { at: new Date(tx.clock.now().getTime() + pacedMs) } : 'full';
  });
}

async function findPayingAccount(tx: Tx, accountId: number): Promise<Account | undefined> {
  return tx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .where('id', '=', accountId)
    .where(hasAccessAt(tx.clock.now()))
    .executeTakeFirst();
}

/** `business`: the business account of a template. */
type Due = { id: number; recipient: string; business: string | null; is_poll: boolean };

const addressed = ({ recipient, business, is_poll: isPoll }: Due) => ({
  to: recipient,
  businessAccountId: business ?? undefined,
  isPoll,
});

async function lockDue(tx: Tx<Scope>): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select m.id, m.recipient, ${storedBusinessAccount} as business, m.type is not distinct from 'poll' as is_poll
      from messages m
     where account_id = ${tx.account.id} and project_id = ${tx.projectId} and status in ('scheduled', 'deferred')
       and phone_id is null and ${isUnsent('m')} and due_at <= ${tx.clock.now()}::timestamptz
     order by account_id, project_id, due_at
     limit ${largestBatch}
       for update skip locked
  `.execute(tx.db);
  return rows;
}

async function giveThemPhones(tx: Tx<Scope>, given: readonly { id: number; phone: RotationPhone }[]): Promise<void> {
  if (given.length === 0) return;
  const now = tx.clock.now();
  const chosen = given.map(({ phone }) => phone);
  const messageIds = given.map(({ id }) => id);
  const phoneIds = chosen.map(({ id }) => id);
  const days = countedDays(chosen, { now, timezone: tx.account.timezone });
  await sql`
    /* prepared: give-phones */
    with counted as (${countUses(tx, chosen, now)})
    update messages m set status = 'pending', is_queued = true, phone_id = x.phone_id, sender = x.sender, counted_day = x.day
      from unnest(${messageIds}::bigint[], ${phoneIds}::bigint[], ${chosen.map(({ number }) => number)}::text[],
                  ${phoneIds.map((id) => days.get(id))}::date[]) as x (id, phone_id, sender, day)
     where m.account_id = ${tx.account.id} and m.id = x.id
  `.execute(tx.db);
  await notify(tx.db, [
    ...outboxNotifications([...new Set(phoneIds)]),
    ...liveNotifications(tx.account.id, {
      type: 'messages.changed',
      project_id: tx.projectId,
      message_ids: messageIds,
    }),
  ]);
}
