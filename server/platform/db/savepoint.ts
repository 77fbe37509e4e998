import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import { isConnectionSpoilt } from './errors.ts';

/** Undoes what `work` has done to the open transaction when it fails, and leaves the transaction usable. */
export async function inSavepoint<T>(
  db: QueryExecutorProvider & { readonly isTransaction: boolean },
  work: () => Promise<T>,
): Promise<T> {
  if (!db.isTransaction) throw new Error('A savepoint is set in a transaction');
  await sql`savepoint part`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(db);
    return result;
  } catch (error) {
    if (isConnectionSpoilt(error)) throw error;
    await sql`rollback to savepoint part`.execute(db);
    await sql`release savepoint part`.execute(db);
    throw error;
  }
}
