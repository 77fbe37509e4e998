import type { Context } from '#server/context.ts';
import { webhookSecretContext } from '#server/modules/identity/projects/index.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';

/**
 * Encrypts the secrets of every further endpoint anew that are not under the current key; answers how many endpoints. The
 * first one of a project mirrors its project, which is resealed with the project's keys.
 */
export function resealEndpointSecrets(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('webhook_endpoints')
        .select(['account_id', 'id', 'secret_sealed', 'old_secret_sealed'])
        .where('id', '>', after)
        .where('is_first', '=', false)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    async reseal({ account_id: accountId, id, secret_sealed: secret, old_secret_sealed: old }) {
      const context = webhookSecretContext(accountId);
      const resealed = ctx.secrets.reseal(secret, context);
      const oldResealed = old && ctx.secrets.reseal(old, context);
      if (!resealed && !oldResealed) return 'current';
      const { numUpdatedRows } = await ctx.db
        .updateTable('webhook_endpoints')
        .set({ secret_sealed: resealed ?? secret, old_secret_sealed: oldResealed ?? old })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('secret_sealed', '=', secret)
        .where('old_secret_sealed', 'is not distinct from', old)
        .executeTakeFirst();
      // A secret that was replaced meanwhile is kept, still under the old key, beside the new one.
      return numUpdatedRows > 0n ? 'resealed' : 'missed';
    },
  });
}
