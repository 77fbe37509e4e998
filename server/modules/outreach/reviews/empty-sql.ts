import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { blanks, placeholderSql } from './placeholder-sql.ts';

/**
 * Whether a placeholder has nothing to say to a profile, over the table `profiles`: what `placeholderText` answers, in
 * SQL. A test compares the two.
 */
export const isEmptyFor = (path: string): RawBuilder<boolean> =>
  sql<boolean>`(btrim(${placeholderSql(path)}, ${blanks}) = '')`;
