import type { Context } from '#server/context.ts';
import { resealedKeys } from './project-keys.ts';

const sliceSize = 500;

/**
 * Encrypts the auth key and the webhook secrets, the replaced one included, of every project anew that are not under the
 * current key; answers how many projects.
 */
export async function resealProjectKeys(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const rows = await ctx.db
      .selectFrom('projects')
      .select(['account_id', 'id', 'auth_key_hash', 'auth_key_sealed'])
      .select(['webhook_secret_sealed', 'old_webhook_secret_sealed'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(sliceSize)
      .execute();
    let isAnyMissed = false;
    for (const row of rows) {
      const changed = resealedKeys(ctx.secrets, row);
      if (!changed) continue;
      const { numUpdatedRows } = await ctx.db
        .updateTable('projects')
        .set(changed)
        .where('account_id', '=', row.account_id)
        .where('id', '=', row.id)
        .where('auth_key_sealed', '=', row.auth_key_sealed)
        .where('webhook_secret_sealed', '=', row.webhook_secret_sealed)
        .where('old_webhook_secret_sealed', 'is not distinct from', row.old_webhook_secret_sealed)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) count += 1;
      else isAnyMissed = true;
    }
    // A webhook secret that was replaced meanwhile is kept, still under the old key, beside the new one.
    if (isAnyMissed) continue;
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last.id;
  }
}
