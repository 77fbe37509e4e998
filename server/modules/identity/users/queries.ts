import type { Selectable } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { emailKey } from './email-key.ts';
import type { UserTables } from './tables.ts';

export type UserRow = Selectable<UserTables['users']>;

export function getUser(ctx: Context, userId: number): Promise<UserRow> {
  return ctx.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
}

/** Changes of how a person signs in follow one another. */
export function lockUser(tx: Tx, userId: number): Promise<UserRow> {
  return tx.db.selectFrom('users').selectAll().where('id', '=', userId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export function findUserByEmail(ctx: Context, email: string): Promise<UserRow | undefined> {
  return ctx.db.selectFrom('users').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

export async function removePasswordReset(ctx: Context, userId: number): Promise<void> {
  await ctx.db.deleteFrom('password_resets').where('account_id', '=', userId).execute();
}

/** A link that would make another address the person's stops; one that confirms their own stays. */
export async function cancelAddressChange(tx: Tx, user: Pick<UserRow, 'id' | 'email_key'>): Promise<void> {
  await tx.db
    .deleteFrom('email_links')
    .where('account_id', '=', user.id)
    .where('email_key', '!=', user.email_key)
    .execute();
}
