import type { Context } from '#server/context.ts';
import { proxyContext } from './seal-proxy.ts';

const sliceSize = 500;

/** Encrypts every phone's proxy anew that is not under the current key; answers how many. */
export async function resealProxies(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const rows = await ctx.db
      .selectFrom('phones')
      .select(['id', 'proxy_sealed'])
      .where('id', '>', after)
      .where('proxy_sealed', 'is not', null)
      .orderBy('id')
      .limit(sliceSize)
      .execute();
    for (const { id, proxy_sealed: before } of rows) {
      const sealed = before && ctx.secrets.reseal(before, proxyContext(id));
      if (!sealed) continue;
      // What its owner wrote meanwhile is under the current key, once all processes have it.
      await ctx.db
        .updateTable('phones')
        .set({ proxy_sealed: sealed })
        .where('id', '=', id)
        .where('proxy_sealed', '=', before)
        .execute();
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last.id;
  }
}
