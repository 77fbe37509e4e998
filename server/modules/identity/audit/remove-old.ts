import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const rowsAtOnce = 5_000;

/** Removes rows of more than 400 days ago, in slices; the database's function knows the age. Answers how many. */
export async function removeOldAuditEvents({ db }: Pick<Context, 'db'>): Promise<number> {
  for (let count = 0; ;) {
    const { rows } = await sql<{ removed: number }>`
      select remove_old_audit_events(${rowsAtOnce}) as removed
    `.execute(db);
    const removed = rows[0]?.removed ?? 0;
    count += removed;
    if (removed < rowsAtOnce) return count;
  }
}
