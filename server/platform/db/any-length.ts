import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * A list of a prepared statement (`kyselyPool`), of which the planner does not see how long it is. Where it sees that,
 * it finds a plan for a list of one cheaper than one for any, and plans anew at every call, which can take longer than
 * the call. `type` is that of the elements, as PostgreSQL names it.
 */
export const anyLength = (values: readonly unknown[], type: string): RawBuilder<unknown> =>
  sql`(select ${values}::${sql.raw(type)}[])::${sql.raw(type)}[]`;

/** Such lists of rows that go together: each of one field, or of what is made of a row. */
export const columnsOf =
  <Row>(rows: readonly Row[]) =>
  (of: keyof Row | ((row: Row) => unknown), type: string): RawBuilder<unknown> =>
    anyLength(
      rows.map((row) => (typeof of === 'function' ? of(row) : row[of]) ?? null),
      type,
    );
