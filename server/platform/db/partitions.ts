import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

const partitionedTables = ['messages', 'webhook_records'];

/** This month and the next two always have their partitions; the month before covers a clock that lags. */
export async function ensurePartitions(db: Kysely<Database>, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Processes that start together must not create the same partition twice.
    await sql`select pg_advisory_xact_lock(hashtextextended('dovepost partitions', 0))`.execute(tx);
    for (const table of partitionedTables) {
      await sql`select ensure_month_partitions(${table}, (${now}::timestamptz - interval '1 month')::date, 4)`.execute(
        tx,
      );
    }
  });
}
