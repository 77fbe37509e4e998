import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findPeople, momentOf, needsOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import { setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { countersOf } from '#server/process-counters.ts';
import type { FlowRow } from '../tables.ts';
import { audienceOf, criteriaOfAudience } from './audience.ts';

/** So many people of a search: those that changed last, as the search looks at them, and some others. */
const compared = { changed: 20, others: 5 };

const longestMs = 10_000;

type Answer = boolean | null;

/**
 * Asks the evaluator that works in memory what the search asked the database, of some people at one moment, and counts
 * where the two differ. Nothing follows from its answers: it is to be trusted before anything stands on it.
 */
export async function compareWithShadow(ctx: AccountContext, flow: FlowRow): Promise<void> {
  try {
    const differing = await inTransaction(ctx, (tx) => findDiffering(tx, flow));
    if (differing.length === 0) return;
    ctx.logger.warn({ flowId: flow.id, profileIds: differing }, 'the evaluator in memory differs from the search');
  } catch (err) {
    // The search itself is over.
    ctx.logger.error({ err, flowId: flow.id }, 'the evaluator in memory could not be compared');
  }
}

async function findDiffering(tx: Tx<AccountContext>, flow: FlowRow): Promise<number[]> {
  // Both see the same people.
  await sql`set transaction isolation level repeatable read, read only`.execute(tx.db);
  await setStatementTimeout(tx.db, longestMs);
  const criteria = await criteriaOfAudience(tx, audienceOf(flow));
  const question = questionOf(criteria);
  const moment = momentOf(tx);
  const { rows } = await sql<{ id: number; answer: Answer }>`
    with changed as materialized (
      select id from profiles where account_id = ${flow.account_id} order by updated_at desc limit ${compared.changed}
    ), others as materialized (
      select id from profiles
       where account_id = ${flow.account_id}
         and id >= (select min(id) + floor(random() * (max(id) - min(id) + 1))::bigint
                      from profiles where account_id = ${flow.account_id})
       order by id limit ${compared.others}
    )
    select profiles.id, case when ${question.predicate(moment)} then true
                             when ${question.predicate(moment, false)} then false end as answer
      from profiles
     where profiles.account_id = ${flow.account_id}
       and profiles.id in (select id from changed union select id from others)
  `.execute(tx.db);
  const wrong: number[] = [];
  const ids = rows.map(({ id }) => id);
  const people = await findPeople(tx, ids, needsOf([criteria]));
  for (const { id, answer } of rows) {
    const person = people.get(id);
    const inMemory: Answer = (person && question.evaluate(person, moment)) ?? null;
    if (inMemory !== answer) wrong.push(id);
    countersOf(tx).add('dovepost_shadow_answers_total', { answer: inMemory === answer ? 'same' : 'different' });
  }
  return wrong;
}
