import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL: whether a subscription gives access at `now`. `table` is the accounts table, or what it is called in the query.
 */
export function hasAccessAt(now: Date, table = 'accounts'): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${table}.access_until`)} > ${now}::timestamptz, false)`;
}
