import type { Context } from '#server/context.ts';

export const sealContext = 'push:private_key';
const onlyRow = 1;

export type PushKeys = { publicKey: string; privateKey: string };

/** The pair that push services know this installation by; made at the first use, once for all processes. */
export async function getPushKeys(ctx: Context): Promise<PushKeys> {
  const known = await readKeys(ctx);
  if (known) return known;
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await ctx.db
    .insertInto('push_keys')
    .values({ id: onlyRow, public_key: publicKey, private_key_sealed: ctx.secrets.seal(privateKey, sealContext) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const kept = await readKeys(ctx);
  if (!kept) throw new Error('The keys for pushes were not kept');
  return kept;
}

async function readKeys({ db, secrets }: Context): Promise<PushKeys | undefined> {
  // account-wide: the installation has one pair.
  const row = await db.selectFrom('push_keys').selectAll().where('id', '=', onlyRow).executeTakeFirst();
  return row && { publicKey: row.public_key, privateKey: secrets.open(row.private_key_sealed, sealContext) };
}
