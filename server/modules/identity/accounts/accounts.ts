import type { Insertable, Selectable, Updateable } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { announceCredentials, announceProjectKeys } from '#server/modules/identity/live/index.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { createApiKey } from './api-key.ts';
import type { AccountsTable } from './tables.ts';

export type AccountRow = Selectable<AccountsTable>;

export function getAccount(ctx: AccountContext): Promise<AccountRow> {
  return ctx.db.selectFrom('accounts').selectAll().where('id', '=', ctx.account.id).executeTakeFirstOrThrow();
}

/** For what goes one after the other in an account. Rows that refer to it are made meanwhile. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

type NewAccount = Omit<Insertable<AccountsTable>, 'api_key_hash' | 'api_key_sealed'>;

type PersonChange = Partial<
  Pick<AccountRow, 'name' | 'language' | 'email' | 'email_key' | 'password_hash' | 'email_unconfirmed_since'>
>;

/** Changes what is a person's own. By the table: where Citus has it, the view `users` takes no change. */
export function changePerson(tx: Tx, userId: number, change: PersonChange): Promise<AccountRow> {
  return tx.db.updateTable('accounts').set(change).where('id', '=', userId).returningAll().executeTakeFirstOrThrow();
}

/** Makes an account and its founder, who owns it; a trigger writes the membership. Rejects a taken e-mail as the database does. */
export async function createAccount(tx: Tx, values: NewAccount): Promise<AccountRow> {
  const account = await tx.db
    .insertInto('accounts')
    .values({ ...createApiKey(tx.secrets).columns, ...values })
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteInDirectory(tx, [{ emailKey: account.email_key }, { keyHash: account.api_key_hash }]);
  return account;
}

type AccountChange = Pick<Updateable<AccountsTable>, 'timezone' | 'default_country' | 'messages_kept_days'>;

export async function changeAccount(tx: Tx<AccountContext>, change: AccountChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.db.updateTable('accounts').set(change).where('id', '=', tx.account.id).execute();
  if (change.timezone !== undefined) await announceProjectKeys(tx, tx.account.id);
}

/** The account's name for people. */
export const nameOf = ({ account_name: name, name: founder }: Pick<AccountRow, 'account_name' | 'name'>): string =>
  name ?? founder;

export async function renameAccount(ctx: AccountContext, name: string): Promise<{ id: number; name: string }> {
  const { id } = ctx.account;
  await ctx.db.updateTable('accounts').set({ account_name: name }).where('id', '=', id).execute();
  return { id, name };
}

/** Resolves to whether that was a change. */
export async function changeTwoFactorDemand(tx: Tx<AccountContext>, required: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('accounts')
    .set({ requires_two_factor_since: required ? tx.clock.now() : null })
    .where('id', '=', tx.account.id)
    .where('requires_two_factor_since', required ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await announceCredentials(tx);
  return true;
}
