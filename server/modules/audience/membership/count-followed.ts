import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Source } from './sources.ts';

export type FollowedCount = { sourceId: number; people: number };

const accountsAtOnce = 500;

/**
 * How many are in each expression that is followed under its present definition, one account after the other; none that
 * is being built.
 */
// account-wide: each account's people, one account at a time.
export async function countFollowed(
  { db }: Context,
  source: Source['name'],
  note: (accountId: number, counts: readonly FollowedCount[]) => Promise<void>,
): Promise<void> {
  let last = 0;
  for (;;) {
    const { rows: accounts } = await sql<{ account_id: number }>`
      select account_id from audience_work where account_id > ${last} order by account_id limit ${accountsAtOnce}
    `.execute(db);
    for (const { account_id: accountId } of accounts) {
      const { rows } = await sql<FollowedCount>`
        with watches as (
          select w.id, w.source_id from audience_watches w
           where w.account_id = ${accountId} and w.source = ${source} and w.is_built
             and not exists (select from audience_watches n
                              where n.account_id = w.account_id and n.source = w.source
                                and n.source_id = w.source_id and not n.is_built)
        ), counted as (
          select watch_id, count(*) as people
            from profile_states s, unnest(s.member_of) as watch_id
           where s.account_id = ${accountId} group by watch_id
        )
        select w.source_id as "sourceId", coalesce(c.people, 0)::bigint as people
          from watches w left join counted c on c.watch_id = w.id
      `.execute(db);
      if (rows.length > 0) await note(accountId, rows);
      last = accountId;
    }
    if (accounts.length < accountsAtOnce) return;
  }
}
