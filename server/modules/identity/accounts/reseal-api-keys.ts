import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { sealContext } from './api-key.ts';

/** Encrypts every api_key anew that is not under the current key; answers how many. */
export function resealApiKeys(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('accounts')
        .select(['id', 'api_key_hash', 'api_key_sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.api_key_sealed, sealContext(row.api_key_hash));
      if (!sealed) return 'current';
      await ctx.db
        .updateTable('accounts')
        .set({ api_key_sealed: sealed })
        .where('id', '=', row.id)
        // A key that was replaced meanwhile is already under the current key.
        .where('api_key_sealed', '=', row.api_key_sealed)
        .execute();
      return 'resealed';
    },
  });
}

/**
 * Whether the keys at hand open what is stored: the oldest and the newest account's api_key, and no other account's is
 * under a key that is not there. `rotateKeys` does the accounts last, so that a rotation which broke off shows here.
 */
export async function opensStoredSecrets(ctx: Context): Promise<boolean> {
  const { rows: others } = await sql`
    select from accounts
     where get_byte(api_key_sealed, 0) = 2 and substring(api_key_sealed from 2 for 4) <> all(${[...ctx.secrets.keyIds]}::bytea[])
     limit 1
  `.execute(ctx.db);
  if (others.length > 0) return false;
  const accounts = ctx.db.selectFrom('accounts').select(['id', 'api_key_hash', 'api_key_sealed']).limit(1);
  const rows = [...(await accounts.orderBy('id').execute()), ...(await accounts.orderBy('id', 'desc').execute())];
  try {
    for (const row of rows) ctx.secrets.open(row.api_key_sealed, sealContext(row.api_key_hash));
    return true;
  } catch {
    return false;
  }
}
