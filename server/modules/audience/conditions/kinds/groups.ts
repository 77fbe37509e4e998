import { sql } from 'kysely';
import type { Moment, Person, Predicate, Question } from '../question.ts';

/** True where all are; false as soon as one is. */
export function allOf(questions: readonly Question[]): Question {
  return {
    ...group(questions),
    predicate: (moment, wanted = true) =>
      joined(
        questions.map((each) => each.predicate(moment, wanted)),
        wanted,
      ),
    ...lookupOf(questions, (wanted) => wanted),
    all: questions,
    evaluate(person, moment) {
      return decided(questions, person, moment, false);
    },
    cost: questions.some(({ cost }) => cost === 'index') ? 'index' : 'scan',
  };
}

/** True as soon as one is; false where all are. */
export function anyOf(questions: readonly Question[]): Question {
  return {
    ...group(questions),
    predicate: (moment, wanted = true) =>
      joined(
        questions.map((each) => each.predicate(moment, wanted)),
        !wanted,
      ),
    ...lookupOf(questions, (wanted) => !wanted),
    evaluate(person, moment) {
      return decided(questions, person, moment, true);
    },
    cost: questions.every(({ cost }) => cost === 'index') ? 'index' : 'scan',
  };
}

export function notOf(question: Question): Question {
  const { lookup } = question;
  return {
    ...group([question]),
    predicate: (moment, wanted = true) => question.predicate(moment, !wanted),
    ...(lookup && { lookup: (moment: Moment, wanted = true) => lookup(moment, !wanted) }),
    evaluate(person, moment) {
      const answer = question.evaluate(person, moment);
      return answer === undefined ? undefined : !answer;
    },
    cost: 'scan',
  };
}

/** The first answer that decides ends it: the others are not asked. */
function decided(questions: readonly Question[], person: Person, moment: Moment, by: boolean): boolean | undefined {
  let isUnknown = false;
  for (const question of questions) {
    const answer = question.evaluate(person, moment);
    if (answer === by) return by;
    isUnknown ||= answer === undefined;
  }
  return isUnknown ? undefined : !by;
}

/** Where all parts can be looked up. */
function lookupOf(questions: readonly Question[], isAll: (wanted: boolean) => boolean): Pick<Question, 'lookup'> {
  const lookups = questions.flatMap(({ lookup }) => lookup ?? []);
  if (lookups.length < questions.length) return {};
  return {
    lookup: (moment, wanted = true) =>
      joined(
        lookups.map((each) => each(moment, wanted)),
        isAll(wanted),
      ),
  };
}

const joined = (parts: readonly Predicate[], isAll: boolean): Predicate =>
  sql`(${sql.join(parts, isAll ? sql` and ` : sql` or `)})`;

function group(questions: readonly Question[]): Pick<Question, 'changedSince' | 'validUntil' | 'mayBeUnreadable'> {
  return {
    validUntil: (person, moment) => Math.min(...questions.map((each) => each.validUntil(person, moment))),
    changedSince(since, moment) {
      const each = questions.map((question) => question.changedSince(since, moment));
      return each.includes(undefined) ? undefined : each.flatMap((predicates) => predicates ?? []);
    },
    mayBeUnreadable: questions.some((question) => question.mayBeUnreadable),
  };
}
