import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { resealedKeys } from './project-keys.ts';

/**
 * Encrypts the auth key and the webhook secrets, the replaced one included, of every project anew that are not under the
 * current key; answers how many projects.
 */
export function resealProjectKeys(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('projects')
        .select(['account_id', 'id', 'auth_key_hash', 'auth_key_sealed'])
        .select(['webhook_secret_sealed', 'old_webhook_secret_sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    async reseal(row) {
      const changed = resealedKeys(ctx.secrets, row);
      if (!changed) return 'current';
      const { numUpdatedRows } = await ctx.db
        .updateTable('projects')
        .set(changed)
        .where('account_id', '=', row.account_id)
        .where('id', '=', row.id)
        .where('auth_key_sealed', '=', row.auth_key_sealed)
        .where('webhook_secret_sealed', '=', row.webhook_secret_sealed)
        .where('old_webhook_secret_sealed', 'is not distinct from', row.old_webhook_secret_sealed)
        .executeTakeFirst();
      // A webhook secret that was replaced meanwhile is kept, still under the old key, beside the new one.
      return numUpdatedRows > 0n ? 'resealed' : 'missed';
    },
  });
}
