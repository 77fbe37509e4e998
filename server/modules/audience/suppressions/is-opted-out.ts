import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * When the number that an SQL expression names opted out; null when it has not. Always one look into the key, as a join
 * would let the planner read the whole list.
 */
export function optedOutAt(account: RawBuilder<number>, phone: RawBuilder<string>): RawBuilder<Date | null> {
  return sql`(select s.opted_out_at from suppressions s
               where s.account_id = ${account} and s.phone_key = phone_key(${phone}) limit 1)`;
}

/** Whether any number has opted out: asked once a statement, it spares those of a short list a look for each. */
export const isAnyOptedOut = (accountId: number): RawBuilder<boolean> =>
  sql`(select exists (select from suppressions where account_id = ${accountId}))`;

/**
 * Whether the profile, over the table `profiles`, has opted out: asked of the key alone. The offset keeps the planner from
 * reading the list of all accounts into a hash instead.
 */
export const isProfileOptedOut: RawBuilder<boolean> = sql`
  exists (select from suppressions s
           where s.account_id = profiles.account_id and s.phone_key = phone_key(profiles.phone) offset 0)`;
