import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { momentOf } from './question-of.ts';
import type { Question } from './question.ts';

/** So many are looked up one by one; of more it costs less to read all that there is. */
const mostLookedUp = 400_000;

/**
 * SQL in two steps for whom something else has to hold than what is looked up of each: `first` finds those, as rows of
 * `profiles`, and `then` is asked of them. Undefined where a single predicate does as well.
 */
export function inSteps(ctx: AccountContext, question: Question): { ids: RawBuilder<unknown> } | undefined {
  const moment = momentOf(ctx);
  const parts = partsOf(question);
  const [last, first] = [parts.filter(({ lookup }) => lookup), parts.filter(({ lookup }) => !lookup)];
  if (last.length === 0 || first.length === 0) return undefined;
  const all = (predicates: readonly RawBuilder<unknown>[]) => sql`(${sql.join(predicates, sql` and `)})`;
  const found = sql`
    select profiles.id from profiles
     where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}
       and ${all(first.map((each) => each.predicate(moment)))}`;
  return {
    ids: sql`
      with found as materialized (${found}), size as materialized (select count(*) as n from found)
      select profiles.id from found as profiles
       where case when (select n from size) <= ${mostLookedUp}
                  then ${all(last.map((each) => each.lookup?.(moment) ?? sql`false`))}
                  else ${all(last.map((each) => each.predicate(moment)))} end`,
  };
}

const partsOf = (question: Question): readonly Question[] => question.all?.flatMap(partsOf) ?? [question];
