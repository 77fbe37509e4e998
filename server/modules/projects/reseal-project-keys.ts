import type { Context } from '#server/context.ts';
import { resealedKeys } from './project-keys.ts';

const sliceSize = 500;

/** Encrypts every auth key and webhook secret anew that is not under the current key; answers how many projects. */
export async function resealProjectKeys(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const rows = await ctx.db
      .selectFrom('projects')
      .select(['account_id', 'id', 'auth_key_hash', 'auth_key_sealed', 'webhook_secret_sealed'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(sliceSize)
      .execute();
    for (const row of rows) {
      const changed = resealedKeys(ctx.secrets, row);
      if (!changed) continue;
      await ctx.db
        .updateTable('projects')
        .set(changed)
        .where('account_id', '=', row.account_id)
        .where('id', '=', row.id)
        // One that was replaced meanwhile is under the current key.
        .where('auth_key_sealed', '=', row.auth_key_sealed)
        .where('webhook_secret_sealed', '=', row.webhook_secret_sealed)
        .execute();
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last.id;
  }
}
