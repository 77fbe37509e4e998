import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL: whether a subscription is open at `now`. `table` is the accounts table, or what it is called in the query.
 */
export function isSubscribedAt(now: Date, table = 'accounts'): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${table}.access_until`)} > ${now}::timestamptz, false)`;
}

/** SQL: whether an account may send at `now`: its subscription is open, and no operator has suspended it. */
export function hasAccessAt(now: Date, table = 'accounts'): RawBuilder<boolean> {
  return sql<boolean>`(${isSubscribedAt(now, table)} and ${sql.ref(`${table}.suspended_at`)} is null)`;
}

export type AccountHold = 'account_suspended' | 'subscription';

/** SQL: why an account may not send at `now`; null where it may. */
export function accountHoldAt(now: Date, table = 'accounts'): RawBuilder<AccountHold | null> {
  return sql<AccountHold | null>`case when ${sql.ref(`${table}.suspended_at`)} is not null then 'account_suspended'
    when not ${isSubscribedAt(now, table)} then 'subscription' end`;
}

/** SQL: whether the person in `userId` has an authenticator app or a passkey. */
export function hasFactor(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from totp_factors f where f.account_id = ${userId} and f.confirmed_at is not null)
    or exists (select from passkeys k where k.account_id = ${userId}))`;
}
