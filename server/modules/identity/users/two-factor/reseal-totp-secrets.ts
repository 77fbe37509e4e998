import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { totpContext } from './totp.ts';

/** Encrypts every authenticator secret anew that is not under the current key; answers how many. */
export function resealTotpSecrets(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('totp_factors')
        .select(['account_id', 'secret_sealed'])
        .where('account_id', '>', after)
        .orderBy('account_id')
        .limit(limit)
        .execute(),
    keyOf: ({ account_id }) => account_id,
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.secret_sealed, totpContext(row.account_id));
      if (!sealed) return 'current';
      await ctx.db
        .updateTable('totp_factors')
        .set({ secret_sealed: sealed })
        .where('account_id', '=', row.account_id)
        .where('secret_sealed', '=', row.secret_sealed)
        .execute();
      return 'resealed';
    },
  });
}
