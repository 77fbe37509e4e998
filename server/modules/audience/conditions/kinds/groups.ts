import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Moment, Person, Predicate, Question } from '../question.ts';
import { never } from './next-change.ts';

/** True where all are; false as soon as one is. */
export function allOf(questions: readonly Question[]): Question {
  return {
    ...group(questions, false),
    predicate: (moment, wanted = true) =>
      joined(
        questions.map((each) => each.predicate(moment, wanted)),
        wanted,
      ),
    ...lookupOf(questions, (wanted) => wanted),
    ...idsOf(questions, joinIds),
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
    ...group(questions, true),
    predicate: (moment, wanted = true) =>
      joined(
        questions.map((each) => each.predicate(moment, wanted)),
        !wanted,
      ),
    ...lookupOf(questions, (wanted) => !wanted),
    ...idsOf(questions, (parts) => sql.join(parts, sql` union `)),
    evaluate(person, moment) {
      return decided(questions, person, moment, true);
    },
    cost: questions.every(({ cost }) => cost === 'index') ? 'index' : 'scan',
  };
}

export function notOf(question: Question): Question {
  const { lookup } = question;
  return {
    ...group([question], true),
    validUntil: (person, moment) => question.validUntil(person, moment),
    predicate: (moment, wanted = true) => question.predicate(moment, !wanted),
    ...(lookup && { lookup: (moment, among, wanted = true) => lookup(moment, among, !wanted) }),
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
    lookup: (moment, among, wanted = true) =>
      joined(
        lookups.map((each) => each(moment, among, wanted)),
        isAll(wanted),
      ),
  };
}

type Sets = readonly RawBuilder<unknown>[];

/** Where all parts can be found by themselves. */
function idsOf(questions: readonly Question[], together: (parts: Sets) => RawBuilder<unknown>): Pick<Question, 'ids'> {
  const parts = questions.flatMap(({ ids }) => ids ?? []);
  return parts.length < questions.length ? {} : { ids: (moment) => together(parts.map((ids) => ids(moment))) };
}

/** SQL of the `profile_id` that are in each of the sets. */
export function joinIds([first, ...others]: Sets): RawBuilder<unknown> {
  const joins = others.map((each, place) => {
    const name = sql.ref(`s${place}`);
    return sql`join (${each}) as ${name} on ${name}.profile_id = s.profile_id`;
  });
  return sql`select s.profile_id from (${first}) as s ${sql.join(joins, sql` `)}`;
}

const joined = (parts: readonly Predicate[], isAll: boolean): Predicate =>
  sql`(${sql.join(parts, isAll ? sql` and ` : sql` or `)})`;

type OfAnyGroup = Pick<Question, 'changedSince' | 'validUntil' | 'mayBeUnreadable' | 'isAnyUnread'>;

/** Until when the answer stays: as long as any of the parts that decide it, else as long as all parts. */
function validUntil(questions: readonly Question[], person: Person, moment: Moment, by: boolean): number {
  let latest = -Infinity;
  for (const question of questions) {
    if (question.evaluate(person, moment) !== by) continue;
    latest = Math.max(latest, question.validUntil(person, moment));
    if (latest === never) return never;
  }
  if (latest > -Infinity) return latest;
  return Math.min(...questions.map((each) => each.validUntil(person, moment)));
}

/** `by`: the answer of a part that decides. */
function group(questions: readonly Question[], by: boolean): OfAnyGroup {
  const unread = questions.filter(({ mayBeUnreadable }) => mayBeUnreadable);
  const known = unread.flatMap(({ isAnyUnread }) => isAnyUnread ?? []);
  return {
    ...(known.length === unread.length &&
      known.length > 0 && {
        isAnyUnread: (moment) =>
          joined(
            known.map((each) => each(moment)),
            false,
          ),
      }),
    validUntil: (person, moment) => validUntil(questions, person, moment, by),
    changedSince(since, moment) {
      const each = questions.map((question) => question.changedSince(since, moment));
      return each.includes(undefined) ? undefined : each.flatMap((predicates) => predicates ?? []);
    },
    mayBeUnreadable: questions.some((question) => question.mayBeUnreadable),
  };
}
