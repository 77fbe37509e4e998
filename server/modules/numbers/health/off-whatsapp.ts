import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { connectorsThat } from '#contracts/connectors.ts';
import type { Context, Tx } from '#server/context.ts';
import { anyLength } from '#server/platform/db/any-length.ts';

/** After so long a number is asked for again. */
const rememberedMs = 30 * 24 * 60 * 60_000;

/** When the number that an SQL expression names was found not to be on WhatsApp; null while nothing is known of that. */
export function offWhatsAppSince(account: RawBuilder<number>, phone: RawBuilder<string>): RawBuilder<Date | null> {
  return sql`(select o.found_at from numbers_off_whatsapp o
               where o.account_id = ${account} and o.phone_key = phone_key(${phone}) limit 1)`;
}

/** Whether the number of the profile, over the table `profiles`, was found not to be on WhatsApp. */
export const isProfileOffWhatsApp: RawBuilder<boolean> = sql`
  exists (select from numbers_off_whatsapp o
           where o.account_id = profiles.account_id and o.phone_key = phone_key(profiles.phone) offset 0)`;

/** Whether any number was: asked once a statement. */
export const isAnyOffWhatsApp = (accountId: number): RawBuilder<boolean> =>
  sql`(select exists (select from numbers_off_whatsapp where account_id = ${accountId}))`;

type Found = { accountId: number; phoneId: number | null; number: string | null };

/** Simulated results of a sandbox are no facts about a number. */
export async function noteOffWhatsApp(tx: Tx, found: readonly Found[]): Promise<void> {
  if (found.length === 0) return;
  await sql`
    with missing as materialized (
      select distinct p.account_id, phone_key(x.number) as phone_key
        from unnest(${found.map(({ accountId }) => accountId)}::bigint[], ${found.map(({ phoneId }) => phoneId)}::bigint[],
                    ${found.map(({ number }) => number)}::text[]) as x (account_id, phone_id, number)
        join phones p on p.account_id = x.account_id and p.id = x.phone_id and p.connector <> all(${connectorsThat(({ isSimulated }) => isSimulated)}::text[])
       where x.number is not null
    )
    insert into numbers_off_whatsapp (account_id, phone_key, found_at)
    select account_id, phone_key, ${tx.clock.now()}::timestamptz from missing order by account_id, phone_key
    on conflict (account_id, phone_key) do update set found_at = excluded.found_at
  `.execute(tx.db);
}

/** A number that writes, or takes a message, has WhatsApp. */
export async function forgetOffWhatsApp(tx: Tx, seen: readonly Found[]): Promise<void> {
  if (seen.length === 0) return;
  const accountIds = seen.map(({ accountId }) => accountId);
  const numbers = seen.map(({ number }) => number);
  await sql`
    /* prepared: forget-off-whatsapp, unread */
    delete from numbers_off_whatsapp o
     using unnest(${anyLength(accountIds, 'bigint')}, ${anyLength(numbers, 'text')}) as x (account_id, number)
     where o.account_id = x.account_id and o.phone_key = phone_key(x.number)
  `.execute(tx.db);
}

/** Numbers of long ago are asked for again. */
export async function askAgainForNumbers(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await ctx.db
    .deleteFrom('numbers_off_whatsapp')
    .where('found_at', '<', new Date(ctx.clock.now().getTime() - rememberedMs))
    .execute();
}
