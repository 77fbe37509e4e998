import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';

/** A flow with something to do, and the account's time zone. */
export type DueFlow = FairWork & { timezone: string };

/** How many of one account are known at a time: as many as have a turn soon, whatever it has besides. */
const knownPerAccount = 4;

/** The flows of all accounts that are due for it in the next `withinMs`, those that have been due longest of each. */
export async function findDueFlows(
  ctx: Context,
  { column, withinMs }: { column: 'next_run_at' | 'next_feed_at'; withinMs: number },
): Promise<(DueFlow & { at: Date })[]> {
  const until = new Date(ctx.clock.now().getTime() + withinMs);
  // account-wide: a worker serves the flows of all accounts.
  const { rows } = await sql<DueFlow & { at: Date }>`
    select due.account_id as "accountId", due.id, due.at, a.timezone
      from (select account_id, id, ${sql.ref(column)} as at,
                   row_number() over (partition by account_id order by ${sql.ref(column)}) as place
              from flows where ${sql.ref(column)} <= ${until}) as due
      join accounts a on a.id = due.account_id
     where due.place <= ${knownPerAccount}
  `.execute(ctx.db);
  return rows;
}
