import type { Condition } from '#contracts/conditions.ts';
import type { AccountContext } from '#server/context.ts';
import { flatCondition } from './kinds/flat-condition.ts';
import { allOf } from './kinds/groups.ts';
import type { Moment, Question } from './question.ts';

/** Who is meant: a condition of any kind, or several. */
export type Criteria = Condition | { all: readonly Criteria[] };

/** The one place that knows the kinds. */
export function questionOf(criteria: Criteria): Question {
  if ('all' in criteria) return allOf(criteria.all.map(questionOf));
  return flatCondition(criteria);
}

export function momentOf(ctx: AccountContext): Moment {
  return { now: ctx.clock.now(), timezone: ctx.account.timezone };
}
