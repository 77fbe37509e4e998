import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import { questionOf } from './question-of.ts';
import type { Moment, Person } from './question.ts';

/** How many conditions a person lacks, and the first of them by the steps that lead to it. */
export type Distance = { misses: number; missing: string | undefined };

/** SQL over `profiles`: of how many conditions the nearest way in is missing. A value that cannot be read misses. */
export function distanceSql(criteria: Criteria, moment: Moment): RawBuilder<number> {
  const parts = partsOf(criteria);
  if (!parts) return sql`(case when ${questionOf(criteria).predicate(moment)} then 0 else 1 end)`;
  const each = parts.of.map((part) => distanceSql(part, moment));
  return parts.isAll ? sql`(${sql.join(each, sql` + `)})` : sql`least(${sql.join(each)})`;
}

/** The same of one person. */
export function distanceOf(criteria: Criteria, person: Person, moment: Moment, at: string): Distance {
  const parts = partsOf(criteria);
  if (!parts) {
    const isIn = questionOf(criteria).evaluate(person, moment) === true;
    return isIn ? { misses: 0, missing: undefined } : { misses: 1, missing: at };
  }
  const key = parts.isAll ? 'all' : 'any';
  const each = parts.of.map((part, place) => distanceOf(part, person, moment, `${at}.${key}.${place}`));
  if (!parts.isAll) return each.reduce((one, other) => (other.misses < one.misses ? other : one));
  return {
    misses: each.reduce((sum, { misses }) => sum + misses, 0),
    missing: each.find(({ missing }) => missing !== undefined)?.missing,
  };
}

/** Undefined for a condition; a `not` is one, whatever it leaves out. */
function partsOf(criteria: Criteria): { of: readonly Criteria[]; isAll: boolean } | undefined {
  if ('all' in criteria) return { of: criteria.all, isAll: true };
  return 'any' in criteria ? { of: criteria.any, isAll: false } : undefined;
}
