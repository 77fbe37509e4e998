import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { offWhatsAppSince } from '#server/modules/numbers/health/index.ts';
import { optedOutAt } from '#server/modules/audience/suppressions/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { factsSql } from './facts.ts';
import { inReach } from './in-reach.ts';
import { phoneKey } from './numbers/phone-key.ts';
import type { ListedProfileRow, ProfileRow } from './present.ts';

export async function getProfileRow(ctx: AccountContext, profileId: number): Promise<ProfileRow> {
  const row = await ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', profileId)
    .where(inReach(ctx))
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Profile');
  return row;
}

export async function lockProfile(tx: Tx<AccountContext>, profileId: number): Promise<ProfileRow | undefined> {
  return tx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('id', '=', profileId)
    .where(inReach(tx))
    .forUpdate()
    .executeTakeFirst();
}

/** However the number is written: see `phoneKey`. */
const hasNumber = (phone: string) => sql<boolean>`phone_key(phone) = ${phoneKey(phone)} and not is_twin`;

/** Over the table `profiles`: what is known of their numbers, as `ListedProfileRow` has it. */
export const newNumberStates: RawBuilder<unknown> = sql`
  ${optedOutAt(sql`profiles.account_id`, sql`profiles.phone`)} as opted_out_at,
  ${offWhatsAppSince(sql`profiles.account_id`, sql`profiles.phone`)} as off_whatsapp_at`;

/** The same with the profiles' facts. */
export const numberStates: RawBuilder<unknown> = sql`${newNumberStates}, ${factsSql}`;

export async function findProfileByPhone(ctx: AccountContext, phone: string): Promise<ListedProfileRow | undefined> {
  const { rows } = await sql<ListedProfileRow>`
    /* prepared: find-profile-by-number */
    select profiles.*, ${numberStates} from profiles where account_id = ${ctx.account.id} and ${hasNumber(phone)}
  `.execute(ctx.db);
  return rows[0];
}

export async function lockProfileByPhone(tx: Tx<AccountContext>, phone: string): Promise<ListedProfileRow | undefined> {
  const { rows } = await sql<ListedProfileRow>`
    /* prepared: lock-profile-by-number */
    select profiles.*, ${numberStates} from profiles where account_id = ${tx.account.id} and ${hasNumber(phone)}
       for update of profiles
  `.execute(tx.db);
  return rows[0];
}

/** The id of the profile with this number; undefined when there is none. */
export async function findProfileId(ctx: AccountContext, phone: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(hasNumber(phone))
    .executeTakeFirst();
  return row?.id;
}
