import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { phoneKey } from './numbers/phone-key.ts';
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

/** However the number is written: see `phoneKey`. */
const hasNumber = (phone: string) => sql<boolean>`phone_key(phone) = ${phoneKey(phone)} and not is_twin`;

export function lockProfileByPhone(tx: Tx<AccountContext>, phone: string): Promise<ProfileRow | undefined> {
  return tx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where(hasNumber(phone))
    .forUpdate()
    .executeTakeFirst();
}

/** Who has this number; undefined when nobody does. */
export async function findProfileId(ctx: AccountContext, phone: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(hasNumber(phone))
    .executeTakeFirst();
  return row?.id;
}
