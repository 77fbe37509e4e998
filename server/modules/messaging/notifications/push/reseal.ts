import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { sealContext } from './push-keys.ts';
import { sealContextOf } from './subscriptions.ts';

/** Encrypts the key and every browser's subscription anew that are not under the current key. */
export async function resealPushes(ctx: Context): Promise<void> {
  await resealKey(ctx);
  await resealRows({
    first: 0,
    // account-wide: the secrets of all accounts are sealed by the same keys.
    read: (after, limit) =>
      ctx.db.selectFrom('push_subscriptions').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),
    keyOf: ({ id }) => id,
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.sealed, sealContextOf(row));
      if (!sealed) return 'current';
      await ctx.db
        .updateTable('push_subscriptions')
        .set({ sealed })
        .where('account_id', '=', row.account_id)
        .where('id', '=', row.id)
        .execute();
      return 'resealed';
    },
  });
}

async function resealKey({ db, secrets }: Context): Promise<void> {
  // account-wide: the installation has one pair.
  const row = await db.selectFrom('push_keys').selectAll().executeTakeFirst();
  const sealed = row && secrets.reseal(row.private_key_sealed, sealContext);
  if (sealed) await db.updateTable('push_keys').set({ private_key_sealed: sealed }).where('id', '=', row.id).execute();
}
