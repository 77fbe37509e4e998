import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { announceCredentials, announceProjectKeys } from '#server/modules/identity/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { createApiKey } from './api-key.ts';
import type { AccountRow } from './accounts.ts';

/** How long an owner can take the deletion of an account back. */
export const deletionDays = 14;
const waitMs = deletionDays * 86_400_000;

type Marked = { deletesAt: Date; isNew: boolean };

/** The account sends nothing from now on, as while it is suspended, and is due to be deleted in 14 days. */
export async function markForDeletion(
  tx: Tx,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<Marked> {
  const account = await lock(tx, accountId);
  if (account.deletes_at !== null) return { deletesAt: account.deletes_at, isNew: false };
  const now = tx.clock.now();
  const deletesAt = new Date(now.getTime() + waitMs);
  const day = dayOf(deletesAt, account);
  await tx.db
    .updateTable('accounts')
    .set({
      deletes_at: deletesAt,
      deletion_asked_by: userId,
      // A suspension by the operator goes on, whatever becomes of the deletion.
      ...(account.suspended_at === null && {
        suspended_at: now,
        suspension_reason: `It is to be deleted on ${day}. An owner can keep it until then.`,
      }),
    })
    .where('id', '=', accountId)
    .execute();
  await announceProjectKeys(tx, accountId);
  return { deletesAt, isNew: true };
}

const dayOf = (at: Date, { timezone }: AccountRow) =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: timezone });

/** By an operator: its people read the reason, and cannot keep it. Answers the reason with the day. */
export async function orderDeletion(
  tx: Tx,
  { accountId, days, reason }: { accountId: number; days: number; reason: string },
): Promise<string> {
  const account = await lock(tx, accountId);
  if (account.deleted_at !== null) throw new NotFoundError('Account');
  const deletesAt = new Date(tx.clock.now().getTime() + days * 86_400_000);
  await tx.db
    .updateTable('accounts')
    .set({ deletes_at: deletesAt, deletion_asked_by: null })
    .where('id', '=', accountId)
    .execute();
  await announceProjectKeys(tx, accountId);
  const sentence = /[.!?…]$/.test(reason) ? reason : `${reason}.`;
  return `${sentence} It is to be deleted on ${dayOf(deletesAt, account)}.`;
}

/** Whether the account's suspension is that of its deletion, and no operator's. */
export const isSuspendedForDeletion = ({
  deletes_at: deletesAt,
  deletion_asked_by: askedBy,
  suspended_at: since,
}: Pick<AccountRow, 'deletes_at' | 'deletion_asked_by' | 'suspended_at'>): boolean =>
  deletesAt !== null && askedBy !== null && since !== null && since.getTime() === deletesAt.getTime() - waitMs;

/** Takes the deletion back; false where nobody has asked for it, and for an owner where an operator has. */
export async function unmarkForDeletion(tx: Tx, accountId: number, by: 'owner' | 'operator'): Promise<boolean> {
  const account = await lock(tx, accountId);
  if (account.deletes_at === null || (by === 'owner' && account.deletion_asked_by === null)) return false;
  await tx.db
    .updateTable('accounts')
    .set({
      deletes_at: null,
      deletion_asked_by: null,
      ...(isSuspendedForDeletion(account) && { suspended_at: null, suspension_reason: null }),
    })
    .where('id', '=', accountId)
    .execute();
  await announceProjectKeys(tx, accountId);
  return true;
}

function lock(tx: Tx, accountId: number): Promise<AccountRow> {
  return tx.db.selectFrom('accounts').selectAll().where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow();
}

export type DueAccount = { id: number; name: string; deletesAt: Date };

// account-wide: the time of each.
export async function findDueForDeletion(ctx: Context): Promise<DueAccount[]> {
  const rows = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'name', 'account_name', 'deletes_at'])
    .where('deletes_at', '<=', ctx.clock.now())
    .orderBy('deletes_at')
    .limit(20)
    .execute();
  return rows.map(({ id, name, account_name: own, deletes_at: at }) => ({
    id,
    name: own ?? name,
    deletesAt: at ?? new Date(),
  }));
}

/** Whether the account's time has come still. Nobody takes its deletion back until the transaction ends. */
export async function isDueForDeletion(tx: Tx, accountId: number): Promise<boolean> {
  const { deletes_at: deletesAt } = await lock(tx, accountId);
  return deletesAt !== null && deletesAt <= tx.clock.now();
}

/** Deletes up to `limit` rows of the account, whatever tables there are but `kept`; answers 0 once there are none. */
export async function deleteRows(
  { db }: Context,
  { accountId, kept, limit }: { accountId: number; kept: readonly string[]; limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select delete_rows_of_account(${accountId}, ${kept}::text[], ${limit}) as removed
  `.execute(db);
  return rows[0]?.removed ?? 0;
}

/**
 * Empties the account's own row, which its payments refer to. Where the person of the same id works elsewhere, they stay
 * who they are.
 */
export async function emptyAccount(tx: Tx, { accountId, keepsPerson }: { accountId: number; keepsPerson: boolean }) {
  const nobody = `deleted-${accountId}@deleted.invalid`;
  await tx.db
    .updateTable('accounts')
    .set({
      ...createApiKey(tx.secrets).columns,
      api_key_user_id: null,
      account_name: null,
      access_until: null,
      default_country: null,
      messages_kept_days: null,
      suspended_at: null,
      suspension_reason: null,
      project_limit: null,
      deletes_at: null,
      deletion_asked_by: null,
      deleted_at: tx.clock.now(),
      ...(!keepsPerson && {
        name: 'Deleted',
        email: nobody,
        email_key: nobody,
        password_hash: hashOfNothing(),
        email_unconfirmed_since: tx.clock.now(),
      }),
    })
    .where('id', '=', accountId)
    .execute();
  await announceCredentials(tx);
  await announceProjectKeys(tx, accountId);
}

/** Well-formed, and of no password that anybody knows. */
function hashOfNothing(): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=19456,t=2,p=1$${random(16)}$${random(32)}`;
}
