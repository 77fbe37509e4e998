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

/** Whether the profile, over the table `profiles`, has opted out. */
export const isProfileOptedOut: RawBuilder<boolean> = sql`
  (${optedOutAt(sql`profiles.account_id`, sql`profiles.phone`)} is not null)`;
