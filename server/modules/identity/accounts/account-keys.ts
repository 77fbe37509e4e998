import { sql } from 'kysely';
import type { Insertable, Selectable } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { lockAccount } from './accounts.ts';
import type { AccountKeysTable } from './tables.ts';

export type AccountKeyRow = Selectable<AccountKeysTable>;

const maxKeys = 50;
/** A use more or less within a minute says nothing more. */
const noteEveryMs = 60_000;

/** Newest first. */
export function findAccountKeys(ctx: AccountContext): Promise<AccountKeyRow[]> {
  return ctx.db
    .selectFrom('account_keys')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .orderBy('id', 'desc')
    .execute();
}

type NewAccountKeyRow = Omit<Insertable<AccountKeysTable>, 'account_id' | 'last_used_at' | 'created_at'>;

/** Throws 409 `key_limit`. Keys of an account are made one after the other, so that two do not see room for the last. */
export async function insertAccountKey(tx: Tx<AccountContext>, values: NewAccountKeyRow): Promise<AccountKeyRow> {
  const { id } = tx.account;
  await lockAccount(tx, id);
  if ((await findAccountKeys(tx)).length >= maxKeys) {
    throw new ConflictError('key_limit', `An account has at most ${maxKeys} keys. Delete one first.`);
  }
  await noteInDirectory(tx, [{ keyHash: values.key_hash }]);
  return tx.db
    .insertInto('account_keys')
    .values({ ...values, account_id: id, last_used_at: null, created_at: tx.clock.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Resolves to undefined where the account has none with the id. */
export async function removeAccountKey(
  tx: Tx<AccountContext>,
  keyId: number,
): Promise<Pick<AccountKeyRow, 'name' | 'user_id'> | undefined> {
  const removed = await tx.db
    .deleteFrom('account_keys')
    .where('account_id', '=', tx.account.id)
    .where('id', '=', keyId)
    .returning(['name', 'user_id'])
    .executeTakeFirst();
  if (removed) await announceCredentials(tx);
  return removed;
}

/** Keys of somebody who leaves do not come back with them. */
export async function removeAccountKeysOf(tx: Tx<AccountContext>, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('account_keys')
    .where('account_id', '=', tx.account.id)
    .where('user_id', '=', userId)
    .execute();
  await announceCredentials(tx);
}

/** In every account. */
export async function removeAllAccountKeysOf(tx: Tx, userId: number): Promise<{ accountId: number; name: string }[]> {
  // account-wide: keys of whatever accounts the person made them in.
  const removed = await tx.db
    .deleteFrom('account_keys')
    .where('user_id', '=', userId)
    .returning(['account_id as accountId', 'name'])
    .execute();
  if (removed.length > 0) await announceCredentials(tx);
  return removed;
}

export async function findApiKeyUse(ctx: AccountContext): Promise<Date | null> {
  const use = await ctx.db
    .selectFrom('api_key_uses')
    .select('last_used_at')
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return use?.last_used_at ?? null;
}

/** At most once a minute. `keyId` is null for the first key. */
export async function noteAccountKeyUse(
  ctx: Context,
  { accountId, keyId, lastUsedAt }: { accountId: number; keyId: number | null; lastUsedAt: Date | null },
): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - noteEveryMs);
  if (lastUsedAt !== null && lastUsedAt >= since) return;
  if (keyId === null) {
    await sql`
      insert into api_key_uses as known (account_id, last_used_at) values (${accountId}, ${now})
      on conflict (account_id) do update set last_used_at = excluded.last_used_at where known.last_used_at < ${since}
    `.execute(ctx.db);
    return;
  }
  await ctx.db
    .updateTable('account_keys')
    .set({ last_used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute();
}
