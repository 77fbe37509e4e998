import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { Account, Context, ProjectScope, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/live/index.ts';
import {
  assignPhones,
  countUses,
  countedDays,
  lockPhones,
  outboxNotifications,
  phoneOf,
} from '#server/modules/phone-numbers/index.ts';
import type { Assignment, RotationPhone } from '#server/modules/phone-numbers/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { roomOfPhones } from '../queued/room-of-phones.ts';

/** `full`: the phones have no more room now; `waiting`: no phone may take any, or the subscription has ended. */
export type Fed = 'done' | 'full' | 'waiting';

/** The phones are locked meanwhile. */
const largestBatch = 500;

type Scope = Context & ProjectScope;

/**
 * Gives the project's messages that are due their phones, longest due first: chosen and counted as for a direct send,
 * but no phone takes more than it drains soon.
 */
export async function feedProject(ctx: Context, project: { accountId: number; projectId: number }): Promise<Fed> {
  return inTransaction(ctx, async (plain) => {
    const account = await findPayingAccount(plain, project.accountId);
    if (!account) return 'waiting';
    const tx = { ...plain, account, projectId: project.projectId };
    const phones = await lockPhones(tx);
    const at = { now: tx.clock.now(), timezone: account.timezone };
    const room = await roomOfPhones(tx, phones);
    const assignments = assignPhones(phones, { count: largestBatch, ...at, room });
    const end = assignments.findIndex(({ kind }) => kind !== 'phone');
    const taken = end === -1 ? assignments : assignments.slice(0, end);
    const fed = await giveThemPhones(tx, { phones, taken });
    if (fed < taken.length) return 'done';
    return end === -1 || assignments[end]?.kind === 'no_room' ? 'full' : 'waiting';
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

type Choice = { phones: readonly RotationPhone[]; taken: readonly Assignment[] };

async function giveThemPhones(tx: Tx<Scope>, { phones, taken }: Choice): Promise<number> {
  if (taken.length === 0) return 0;
  const now = tx.clock.now();
  const { rows: due } = await sql<{ id: number }>`
    select id from messages
     where account_id = ${tx.account.id} and project_id = ${tx.projectId} and status in ('scheduled', 'deferred')
       and due_at <= ${now}::timestamptz
     order by account_id, project_id, due_at
     limit ${taken.length}
       for update skip locked
  `.execute(tx.db);
  if (due.length === 0) return 0;
  const chosen = taken
    .slice(0, due.length)
    .flatMap((each) => (each.kind === 'phone' ? [phoneOf(phones, each.phoneId)] : []));
  const messageIds = due.map(({ id }) => id);
  const phoneIds = chosen.map(({ id }) => id);
  const days = countedDays(chosen, { now, timezone: tx.account.timezone });
  await sql`
    with counted as (${countUses(tx, chosen, now)})
    update messages m set status = 'pending', phone_id = x.phone_id, sender = x.sender, counted_day = x.day
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
  return due.length;
}
