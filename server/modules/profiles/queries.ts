import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { ProfileRow } from './present.ts';

export async function getProfileRow(ctx: AccountContext, profileId: number): Promise<ProfileRow> {
  const row = await ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', profileId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Profile');
  return row;
}

export function lockProfileByPhone(tx: Tx<AccountContext>, phone: string): Promise<ProfileRow | undefined> {
  return tx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('phone', '=', phone)
    .forUpdate()
    .executeTakeFirst();
}

/** Who has this number; undefined when nobody does. */
export async function findProfileId(ctx: AccountContext, phone: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return row?.id;
}
