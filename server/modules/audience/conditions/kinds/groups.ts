import { sql } from 'kysely';
import type { Question } from '../question.ts';

/** True where all are; false as soon as one is. */
export function allOf(questions: readonly Question[]): Question {
  return {
    predicate(moment, wanted = true) {
      const parts = questions.map((each) => each.predicate(moment, wanted));
      return sql`(${sql.join(parts, wanted ? sql` and ` : sql` or `)})`;
    },
    evaluate(profile, moment) {
      const answers = questions.map((each) => each.evaluate(profile, moment));
      if (answers.includes(false)) return false;
      return answers.includes(undefined) ? undefined : true;
    },
    changedSince(since, moment) {
      const each = questions.map((question) => question.changedSince(since, moment));
      return each.includes(undefined) ? undefined : each.flatMap((predicates) => predicates ?? []);
    },
    cost: questions.some(({ cost }) => cost === 'index') ? 'index' : 'scan',
  };
}
