import { sql } from 'kysely';
import type { Condition } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { Question } from '../question.ts';
import { compileCondition, costOf } from './compile-condition.ts';
import { fieldValue, matchesCondition } from './matches-condition.ts';

/** A field, an operator and a value: what cannot be read does not match, and matches its opposite. */
export function flatCondition(condition: Condition): Question {
  return {
    predicate({ now }, wanted = true) {
      const predicate = compileCondition(condition, now);
      return wanted ? predicate : sql`((${predicate}) is not true)`;
    },
    evaluate: (person, { now }) => matchesCondition(person, condition, now),
    // Dates only ever drop out of `after_…`.
    changedSince(since) {
      return condition.operator.startsWith('before_') ? [sql`(not ${compileCondition(condition, since)})`] : [];
    },
    cost: costOf(condition),
    mayBeUnreadable: false,
    readValue(person) {
      const field = parseFieldPath(condition.fieldPath);
      return field && fieldValue(person, field);
    },
  };
}
