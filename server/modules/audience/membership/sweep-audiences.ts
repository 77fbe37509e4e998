import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/**
 * Has everybody looked at again, in slices, of all accounts or of some: what retention has erased, and what processes of
 * an earlier version change, is in no queue.
 */
// account-wide: each account's people, in its turns.
export async function sweepAudiences({ db, clock }: Context, accountIds?: readonly number[]): Promise<void> {
  if (accountIds?.length === 0) return;
  const wanted = accountIds ? sql`account_id = any(${accountIds}::bigint[])` : sql`true`;
  const now = clock.now();
  await sql`
    with all_accounts as (select account_id from audience_work where ${wanted} order by account_id for update)
    update audience_work w set swept_until = 0, due_at = least(w.due_at, ${now})
      from all_accounts a where w.account_id = a.account_id
  `.execute(db);
}
