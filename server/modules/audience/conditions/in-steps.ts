import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { momentOf } from './question-of.ts';
import type { Question } from './question.ts';

/** So many are looked up one by one; of more it costs less to read all that there is. */
const mostLookedUp = 200_000;

/**
 * SQL of the ids of the profiles that match, newest first, in two steps: whom everything else holds of, and of these who
 * has what is looked up of each. The planner would ask it of all profiles. Undefined where a single predicate does as well.
 */
export function inSteps(ctx: AccountContext, question: Question): RawBuilder<unknown> | undefined {
  const moment = momentOf(ctx);
  const parts = partsOf(question);
  const [first, last] = [parts.filter(({ lookup }) => !lookup), parts.filter(({ lookup }) => lookup)];
  if (first.length === 0 || last.length === 0) return undefined;
  const all = (predicates: readonly RawBuilder<unknown>[]) => sql`(${sql.join(predicates, sql` and `)})`;
  return sql`
    with found as materialized (
      select profiles.id from profiles
       where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}
         and ${all(first.map((each) => each.predicate(moment)))}
       order by profiles.id desc
    ), size as materialized (
      select count(*) as n from found
    )
    select profiles.id from found as profiles
     where case when (select n from size) <= ${mostLookedUp}
                then ${all(last.flatMap(({ lookup }) => lookup?.(moment) ?? []))}
                else ${all(last.map((each) => each.predicate(moment)))} end
     order by profiles.id desc`;
}

const partsOf = (question: Question): readonly Question[] => question.all?.flatMap(partsOf) ?? [question];
