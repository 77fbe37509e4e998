import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { momentOf } from '#server/modules/audience/conditions/index.ts';
import { setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { countersOf } from '#server/process-counters.ts';
import { findWatches } from './watches.ts';

/** So many people: those that changed last, and some others. */
const compared = { changed: 20, others: 5 };
const longestMs = 10_000;

/**
 * Asks the database at one moment who is in the expressions that are followed, and counts where that differs from what
 * was found one change at a time. People in the queue, and those whose time has come, are left out.
 */
export async function compareWithSearch(ctx: AccountContext): Promise<void> {
  try {
    const differing = await inTransaction(ctx, findDiffering);
    if (differing.length === 0) return;
    ctx.logger.warn({ accountId: ctx.account.id, differing }, 'memberships differ from the search');
  } catch (err) {
    ctx.logger.error({ err, accountId: ctx.account.id }, 'memberships could not be compared');
  }
}

export type Differing = { source: string; sourceId: number; profileId: number };

async function findDiffering(tx: Tx<AccountContext>): Promise<Differing[]> {
  // Both are of the same moment.
  await sql`set transaction isolation level repeatable read, read only`.execute(tx.db);
  await setStatementTimeout(tx.db, longestMs);
  return differencesAmong(tx, await findSample(tx));
}

async function findSample({ db, account }: Tx<AccountContext>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with changed as (
      select id from profiles where account_id = ${account.id} order by updated_at desc limit ${compared.changed}
    ), others as (
      select id from profiles
       where account_id = ${account.id}
         and id >= (select min(id) + floor(random() * (max(id) - min(id) + 1))::bigint
                      from profiles where account_id = ${account.id})
       order by id limit ${compared.others}
    )
    select id from changed union select id from others
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** In a transaction that sees one moment. */
export async function differencesAmong(tx: Tx<AccountContext>, ids: readonly number[]): Promise<Differing[]> {
  const accountId = tx.account.id;
  const moment = momentOf(tx);
  const { all } = await findWatches(tx);
  const differing: Differing[] = [];
  for (const { id, source, sourceId, isBuilt, question } of all) {
    if (!isBuilt) continue;
    const { rows } = await sql<{ profileId: number; isSame: boolean }>`
      select profiles.id as "profileId",
             (${question.predicate(moment)} is true) = coalesce(${id} = any(s.member_of), false) as "isSame"
        from profiles
        left join profile_states s on s.account_id = ${accountId} and s.profile_id = profiles.id
       where profiles.account_id = ${accountId} and profiles.id = any(${ids}::bigint[])
         and coalesce(s.due_at > ${moment.now}, true)
         and not exists (select from profile_changes c where c.account_id = ${accountId} and c.profile_id = profiles.id)
    `.execute(tx.db);
    for (const { profileId, isSame } of rows) {
      if (!isSame) differing.push({ source, sourceId, profileId });
      countersOf(tx).add('dovepost_shadow_members_total', { answer: isSame ? 'same' : 'different' });
    }
  }
  return differing;
}
