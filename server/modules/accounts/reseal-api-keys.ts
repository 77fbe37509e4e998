import type { Context } from '#server/context.ts';
import { sealContext } from './api-key.ts';

const sliceSize = 500;

/** Encrypts every api_key anew that is not under the current key; answers how many. */
export async function resealApiKeys(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const rows = await ctx.db
      .selectFrom('accounts')
      .select(['id', 'api_key_hash', 'api_key_sealed'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(sliceSize)
      .execute();
    for (const row of rows) {
      const sealed = ctx.secrets.reseal(row.api_key_sealed, sealContext(row.api_key_hash));
      if (!sealed) continue;
      await ctx.db
        .updateTable('accounts')
        .set({ api_key_sealed: sealed })
        .where('id', '=', row.id)
        // One that was replaced meanwhile is under the current key.
        .where('api_key_sealed', '=', row.api_key_sealed)
        .execute();
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last.id;
  }
}

/** Whether the keys at hand open what is stored: the oldest and the newest account's api_key. */
export async function opensStoredSecrets(ctx: Context): Promise<boolean> {
  const accounts = ctx.db.selectFrom('accounts').select(['id', 'api_key_hash', 'api_key_sealed']).limit(1);
  const rows = [...(await accounts.orderBy('id').execute()), ...(await accounts.orderBy('id', 'desc').execute())];
  try {
    for (const row of rows) ctx.secrets.open(row.api_key_sealed, sealContext(row.api_key_hash));
    return true;
  } catch {
    return false;
  }
}
