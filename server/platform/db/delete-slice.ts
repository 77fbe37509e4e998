import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';

export type Slice = { accountId: number; isOld: RawBuilder<boolean>; limit: number };

/** Deletes up to `limit` rows of an account's, by ascending id, and answers how many. */
export async function deleteSlice<DB>(
  db: Kysely<DB>,
  table: string & keyof DB,
  { accountId, isOld, limit }: Slice,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
     where account_id = ${accountId} and id in (
       select id from ${sql.table(table)} where account_id = ${accountId} and ${isOld} order by id limit ${limit})
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
