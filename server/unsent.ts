import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL: whether a message has neither been sent nor failed, which is so while it is `scheduled`, `deferred`, `pending` or
 * `sending`. The indexes of these are of this condition: a query for one of these statuses says it as well. None of the
 * columns changes with a receipt, so that a receipt leaves every index as it is. `table` is what messages are called in
 * the query.
 */
export function isUnsent(table = 'messages'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column('direction')} = 'outgoing' and ${column('sent_at')} is null and ${column('error')} is null)`;
}
