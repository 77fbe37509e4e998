import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const keptMs = 7 * 24 * 60 * 60_000;
/** Each takes its rows with it. */
const mostAtOnce = 50;

/** Deletes drafts that nobody has started for a week, and what is left of uploads that broke off. */
export async function removeOldDrafts(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  await sql`
    delete from bulk_runs r
     using (select account_id, id from bulk_runs where status = 'draft' and created_at < ${before}
             order by created_at limit ${mostAtOnce}) as old
     where r.account_id = old.account_id and r.id = old.id and r.status = 'draft'
  `.execute(ctx.db);
}
