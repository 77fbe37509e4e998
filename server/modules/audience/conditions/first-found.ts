import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { matchingIds } from './matching-ids.ts';
import { momentOf } from './question-of.ts';
import type { Predicate, Question } from './question.ts';

/** Ids that come after one, up to another one; of the matches among them no more than `most`. */
export type Stretch = { after: number; until: number; most: number };

/**
 * For a question that indexes answer, SQL of `id`, `account_id`, `phone` and `phone_is_valid` of the first profiles of a
 * stretch that match and that `also` holds of. A stretch may cost what finding all matches of the account does, so that it
 * has to be long. Undefined where each profile is asked for itself.
 */
export function firstFound(
  ctx: AccountContext,
  question: Question,
  also: Predicate,
): ((stretch: Stretch) => Promise<RawBuilder<unknown>>) | undefined {
  const ids = matchingIds(ctx, question);
  if (!ids && question.cost !== 'index') return undefined;
  const found = ids ? sql`join (${ids}) as found on found.id = profiles.id` : sql``;
  const matches = ids ? sql`true` : question.predicate(momentOf(ctx));
  return async ({ after, until, most }) => {
    const matching = sql`
      select profiles.id, profiles.account_id, profiles.phone, profiles.phone_is_valid from profiles ${found}
       where profiles.account_id = ${ctx.account.id} and profiles.id > ${after} and profiles.id <= ${until}
         and ${also} and ${matches}`;
    // Without the fence the planner, whose guess may be twice too high, may walk through all to meet the last match.
    const fence = (await guessedRows(ctx, matching)) < most * walkedFrom ? sql`offset 0` : sql``;
    return sql`select * from (${matching} ${fence}) as matching order by id limit ${most}`;
  };
}

/** Of so many times as many as are wanted, the first ones are met soon enough by a walk. */
const walkedFrom = 3;

/** None on Citus, whose plans say nothing of rows. */
async function guessedRows({ db }: AccountContext, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${query}
  `.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
