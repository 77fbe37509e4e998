import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { joinIds } from './kinds/groups.ts';
import { momentOf } from './question-of.ts';
import type { Moment, Question } from './question.ts';

/** So many are looked up; of more it costs less to read all that there is. */
const manyPeople = 200_000;

/**
 * SQL of the `id` of each profile that matches, found without reading all profiles: from indexes alone, and where that
 * narrows them down, what is looked up of each is asked of these. The planner would ask it of all profiles. Undefined
 * where a single predicate does as well.
 */
export function matchingIds(
  ctx: AccountContext,
  question: Question,
  mostLookedUp = manyPeople,
): RawBuilder<unknown> | undefined {
  const moment = momentOf(ctx);
  const parts = partsOf(question);
  const [first, last] = [parts.filter(({ lookup }) => !lookup), parts.filter(({ lookup }) => lookup)];
  if (first.length === 0 || last.length === 0) {
    if (narrowedTo(ctx) !== null || !question.ids) return undefined;
    return sql`select found.profile_id as id from (${question.ids(moment)}) as found`;
  }
  return sql`
    with found as materialized (${findFirst(ctx, first, moment)}), size as materialized (
      select count(*) as n from found
    )
    select profiles.id from found as profiles
     where case when (select n from size) <= ${mostLookedUp}
                then ${all(last.flatMap(({ lookup }) => lookup?.(moment, foundIds) ?? []))}
                else ${all(last.map((each) => ofAll(each, moment)))} end`;
}

/**
 * For the rest of a transaction that asks for `matchingIds`. PostgreSQL takes hashing for the cheapest way to join sets of
 * hundreds of thousands of ids, and to merge them takes two thirds of its time (`bench -- audience`).
 */
export async function mergeLargeSets({ db }: Pick<Tx, 'db'>): Promise<void> {
  await sql`/* prepared: merge-large-sets, unread */ select set_config('enable_hashjoin', 'off', true)`.execute(db);
}

const foundIds = sql<number[]>`array(select id from found)`;

/** The comparison to true keeps the sets apart: as joins they may be looked for anew for each profile. */
const ofAll = (question: Question, moment: Moment): RawBuilder<unknown> =>
  question.ids ? sql`((profiles.id in (${question.ids(moment)})) is true)` : question.predicate(moment);

/** The `id` of each profile of which all of it holds; of the profiles themselves only what no index has is read. */
function findFirst(ctx: AccountContext, questions: readonly Question[], moment: Moment): RawBuilder<unknown> {
  const sets = narrowedTo(ctx) === null ? questions.flatMap(({ ids }) => ids?.(moment) ?? []) : [];
  const read = questions.filter(({ ids }) => sets.length === 0 || !ids);
  if (read.length === 0) return sql`select found.profile_id as id from (${joinIds(sets)}) as found`;
  return sql`
    select profiles.id from profiles
     where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}
       and ${sets.length === 0 ? sql`true` : sql`profiles.id in (${joinIds(sets)})`}
       and ${all(read.map((each) => each.predicate(moment)))}`;
}

const all = (predicates: readonly RawBuilder<unknown>[]) => sql`(${sql.join(predicates, sql` and `)})`;

/** Whether indexes serve all of it, so that a walk from the newest on meets enough of many. */
export const isIndexed = (question: Question): boolean => partsOf(question).every(({ cost }) => cost === 'index');

const partsOf = (question: Question): readonly Question[] => question.all?.flatMap(partsOf) ?? [question];
