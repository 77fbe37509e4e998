import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Moment, Person, Predicate, Question } from '../question.ts';

/**
 * How often it happened at the least and at the most: what cannot be read, or is kept no longer, counts for the most
 * alone.
 */
export type Count = { lo: number; hi: number };

/** From the first moment on, before the second one; a missing one is no bound. */
export type EventSpan = { from: Date | undefined; to: Date | undefined };

export type Asked = { span: EventSpan; where: Question | undefined };

export type CountedEvents = {
  /** SQL of rows `profile_id`, `lo` and `hi`, several of one person; of the person with an id alone where that is given. */
  counts(moment: Moment, asked: Asked, profileId?: RawBuilder<number>): RawBuilder<unknown>;
  /**
   * SQL that reads no event: `whole`, how many there are for certain, and `rest`, how many more there may be. A row about
   * each person with any, with the `profile_id`: of all, or of those whose ids the array holds.
   */
  bounds?(moment: Moment, asked: Asked, among?: RawBuilder<number[]>): RawBuilder<unknown>;
  count(person: Person, moment: Moment, asked: Asked): Count;
  /** SQL, asked once: whether some that were in the span are kept no longer. */
  isAnyErased?(moment: Moment, span: EventSpan): Predicate;
  /** The moments at which a count may change that begins with them, in milliseconds. */
  moments(person: Person): number[];
  /** Of each of the person's events with the name. */
  properties(person: Person): readonly Record<string, unknown>[];
  /** Over the table `profiles`: people of whom one came since. */
  receivedSince(moment: Moment, since: Date): Predicate;
  /** Over the table `profiles`: people of whom one happened then. */
  happened(moment: Moment, span: { from: Date; to: Date }): Predicate;
};

/** SQL over events `e`: whether they lie in the span. */
export const inSpan = ({ from, to }: EventSpan): RawBuilder<boolean> => sql`
  (${from ? sql`e.at >= ${from}` : sql`true`} and ${to ? sql`e.at < ${to}` : sql`true`})`;

/**
 * Over rows `e` with a `profile_id`, `at` and `properties`: how often what is asked holds of them. As whole numbers of
 * four bytes, of which sums are cheap.
 */
export function countRows(rows: RawBuilder<unknown>, where: Question | undefined, moment: Moment): RawBuilder<unknown> {
  if (!where) return sql`select e.profile_id, 1 as lo, 1 as hi from (${rows}) as e`;
  return sql`
    select profiles.profile_id, (count(*) filter (where ${where.predicate(moment, true)}))::int as lo,
           (count(*) filter (where (${where.predicate(moment, false)}) is not true))::int as hi
      from (select e.profile_id, e.properties as custom_fields from (${rows}) as e) as profiles
     group by 1`;
}

export function countInMemory(
  rows: readonly { properties: Record<string, unknown> }[],
  where: Question | undefined,
  moment: Moment,
): Count {
  if (!where) return { lo: rows.length, hi: rows.length };
  const answers = rows.map(({ properties }) => where.evaluate(withProperties(properties), moment));
  return {
    lo: answers.filter((each) => each === true).length,
    hi: answers.filter((each) => each !== false).length,
  };
}

/** An event, as a person whose custom fields are its properties. */
export const withProperties = (properties: Record<string, unknown>): Person => ({
  ...nobody,
  custom_fields: properties,
});

/** An event has properties alone. */
const nobody: Person = {
  id: 0,
  phone: '',
  country_code: null,
  name: null,
  email: null,
  status: '',
  phone_is_valid: false,
  tags: [],
  created_at: new Date(0),
  updated_at: new Date(0),
  custom_fields: null,
};
