import { sql } from 'kysely';
import type { Condition, TimeOperator } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { readTimeMs } from '#contracts/read-time.ts';
import type { Person, Question } from '../question.ts';
import { compileCondition, costOf } from './compile-condition.ts';
import { fieldValue, matchesCondition } from './matches-condition.ts';
import { around, never, turnsAt } from './next-change.ts';
import { timeThreshold } from './time-threshold.ts';

/** A field, an operator and a value: what cannot be read does not match, and matches its opposite. */
export function flatCondition(condition: Condition): Question {
  function valueOf(person: Person): unknown {
    const field = parseFieldPath(condition.fieldPath);
    return field && fieldValue(person, field);
  }
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
    validUntil(person, { now }) {
      const time = condition.operator.endsWith('_ago') ? readTimeMs(valueOf(person)) : undefined;
      if (time === undefined) return never;
      const { at } = timeThreshold(condition.operator as TimeOperator, condition.value, now);
      return turnsAt(around(time + now.getTime() - at.getTime()), now);
    },
    cost: costOf(condition),
    mayBeUnreadable: false,
    readValue: valueOf,
  };
}
