import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Empties the rows of a number; what became of them stays, and is counted. */
export async function eraseRows(
  { db }: Context,
  { accountId, numbers }: { accountId: number; numbers: readonly string[] },
): Promise<void> {
  await sql`
    update bulk_run_rows r set phone = '', fields = '{}' from bulk_runs b
     where b.account_id = ${accountId}
       and r.account_id = b.account_id and r.bulk_run_id = b.id and r.phone = any(${numbers}::text[])
  `.execute(db);
}
