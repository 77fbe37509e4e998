import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL: whether a message has neither been sent nor failed. It is so of whatever is `scheduled`, `deferred`, `pending` or
 * `sending`, and the indexes of these are of it: a query for one of these statuses says this as well. None of the
 * columns changes with a receipt, so that a receipt leaves every index as it is. `table` is what messages are called in
 * the query.
 */
export function isUnsent(table = 'messages'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column('direction')} = 'outgoing' and ${column('sent_at')} is null and ${column('error')} is null)`;
}
