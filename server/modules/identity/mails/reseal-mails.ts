import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { sealContext } from './deliver.ts';

/** Encrypts every waiting mail anew that is not under the current key; answers how many. */
export function resealMails(ctx: Context): Promise<number> {
  return resealRows({
    first: '',
    // account-wide: a mail belongs to no account.
    read: (after, limit) =>
      ctx.db.selectFrom('mails').select(['id', 'sealed']).where('id', '>', after).orderBy('id').limit(limit).execute(),
    keyOf: ({ id }) => id,
    async reseal({ id, sealed: before }) {
      const sealed = ctx.secrets.reseal(before, sealContext(id));
      if (!sealed) return 'current';
      await ctx.db.updateTable('mails').set({ sealed }).where('id', '=', id).execute();
      return 'resealed';
    },
  });
}
