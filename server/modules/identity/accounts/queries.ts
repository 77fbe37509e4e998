import type { Selectable } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { emailKey } from './email-key.ts';
import type { AccountsTable } from './tables.ts';

export type AccountRow = Selectable<AccountsTable>;

export function getAccount(ctx: AccountContext): Promise<AccountRow> {
  return ctx.db.selectFrom('accounts').selectAll().where('id', '=', ctx.account.id).executeTakeFirstOrThrow();
}

export function findAccountByEmail(ctx: Context, email: string): Promise<AccountRow | undefined> {
  return ctx.db.selectFrom('accounts').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

export async function removePasswordReset(ctx: Context, accountId: number): Promise<void> {
  await ctx.db.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
}

/** A link that would make another address the account's stops; one that confirms its own stays. */
export async function cancelAddressChange(tx: Tx, account: Pick<AccountRow, 'id' | 'email_key'>): Promise<void> {
  await tx.db
    .deleteFrom('email_links')
    .where('account_id', '=', account.id)
    .where('email_key', '!=', account.email_key)
    .execute();
}
