import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { proxyContext } from './seal-proxy.ts';

/** Encrypts every phone's proxy anew that is not under the current key; answers how many. */
export function resealProxies(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('phones')
        .select(['id', 'proxy_sealed'])
        .where('id', '>', after)
        .where('proxy_sealed', 'is not', null)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    async reseal({ id, proxy_sealed: before }) {
      const sealed = before && ctx.secrets.reseal(before, proxyContext(id));
      if (!sealed) return 'current';
      // A proxy that its owner wrote meanwhile is under the current key, once all processes have it.
      await ctx.db
        .updateTable('phones')
        .set({ proxy_sealed: sealed })
        .where('id', '=', id)
        .where('proxy_sealed', '=', before)
        .execute();
      return 'resealed';
    },
  });
}
