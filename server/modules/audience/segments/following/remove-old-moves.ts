import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const keptDays = 400;
const rowsAtOnce = 5_000;

/** Removes moves of more than 400 days ago, in slices. */
export async function removeOldMoves({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
  for (;;) {
    // account-wide: what is old is old for all.
    const { numAffectedRows = 0n } = await sql`
      delete from segment_moves where ctid = any (array(
        select ctid from segment_moves where at < ${before} limit ${rowsAtOnce}))
    `.execute(db);
    if (numAffectedRows < rowsAtOnce) return;
  }
}
