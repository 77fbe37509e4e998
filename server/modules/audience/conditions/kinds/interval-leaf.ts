import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FieldPath } from '#contracts/field-path.ts';
import type { FieldLeaf } from '#contracts/expressions.ts';
import { readBound, readNumber } from '#contracts/expression-rules.ts';
import { readTimeMs } from '#contracts/read-time.ts';
import type { Moment, Predicate, Question } from '../question.ts';
import { compareTime, exists, isTimeColumn } from './compile-condition.ts';
import { jsonOf, presentValue, readField, valueIn } from './field-value.ts';
import { around, keepLatest, never, spanTurnsAt, turnsAt } from './next-change.ts';
import { spanFrom } from './span.ts';

type CompareLeaf = Extract<FieldLeaf, { op: 'gt' | 'lt' | 'between' }>;
type SpanLeaf = Extract<FieldLeaf, { op: 'within_last' | 'more_than_ago' | 'within_next' }>;

/** Between the two, neither of which is part of it; a missing one is no bound. */
export type Interval = { after?: number; before?: number };

type Reading = {
  /** A value as what is compared; undefined where it cannot be read as such. */
  read(value: unknown): number | undefined;
  isReadable(field: FieldPath): Predicate;
  isWithin(field: FieldPath, interval: Interval): Predicate;
};

const times: Reading = {
  read: readTimeMs,
  isReadable: (field) => (isOfTime(field) ? sql`true` : sql`(epoch_ms_of(${jsonOf(field)}) is not null)`),
  isWithin: (field, { after, before }) =>
    allTrue([
      ...(after === undefined ? [] : [compareTime(field, { isBefore: false, at: new Date(after) })]),
      ...(before === undefined ? [] : [compareTime(field, { isBefore: true, at: new Date(before) })]),
    ]),
};

const isOfTime = (field: FieldPath) => field.kind === 'column' && isTimeColumn(field.column);
const numberOf = (field: FieldPath): RawBuilder<number> => sql`number_of(${jsonOf(field)})`;

const numbers: Reading = {
  read: readNumber,
  isReadable: (field) => sql`(${numberOf(field)} is not null)`,
  isWithin: (field, { after, before }) =>
    allTrue([
      ...(after === undefined ? [] : [sql`${numberOf(field)} > ${after}::float8`]),
      ...(before === undefined ? [] : [sql`${numberOf(field)} < ${before}::float8`]),
    ]),
};

const allTrue = (parts: readonly RawBuilder<unknown>[]): Predicate => sql`(${sql.join(parts, sql` and `)})`;

/** Greater, less or between: of numbers, or of times where the bounds are. */
export function compareLeaf({ field, op, value }: CompareLeaf): Question {
  const bounds = (op === 'between' ? value : [value]).flatMap((bound) => readBound(bound) ?? []);
  const isTime = bounds[0]?.kind === 'time';
  const [first = 0, last = first] = bounds.map((bound) => bound.value);
  const interval = op === 'gt' ? { after: first } : op === 'lt' ? { before: first } : undefined;
  const reading = isTime ? times : numbers;
  if (interval) return within(readField(field), reading, () => interval);
  return isTime ? timesBetween(field, first, last) : numbersBetween(field, first, last);
}

/** Both ends are part of it, in milliseconds; a missing one is no bound. */
export function timesBetween(field: string, first: number | undefined, last: number | undefined): Question {
  const interval = {
    ...(first !== undefined && { after: first - 1 }),
    ...(last !== undefined && { before: last + 1 }),
  };
  return within(readField(field), times, () => interval);
}

/** Both ends are part of it: of numbers there is none just below another. */
export function numbersBetween(field: string, first: number, last: number): Question {
  const reading: Reading = {
    ...numbers,
    isWithin: (at) => sql`(${numberOf(at)} between ${first}::float8 and ${last}::float8)`,
  };
  const place = readField(field);
  return {
    ...within(place, reading, () => ({})),
    evaluate(person) {
      const value = presentValue(person, place);
      const number = readNumber(value);
      if (number === undefined) return value === undefined ? false : undefined;
      return number >= first && number <= last;
    },
  };
}

/** Within so long before or after now, or longer ago. */
export function spanLeaf(leaf: SpanLeaf): Question {
  const field = readField(leaf.field);
  const span = { n: leaf.op === 'within_next' ? leaf.n : -leaf.n, unit: leaf.unit };
  return {
    ...within(field, times, (moment) => spanInterval(leaf, moment)),
    validUntil(person, { now }) {
      const value = readTimeMs(presentValue(person, field));
      if (value === undefined) return never;
      return Math.min(turnsAt(around(value), now), spanTurnsAt(around(value), span, now));
    },
  };
}

export function spanInterval({ op, n, unit }: SpanLeaf, { now }: Moment): Interval {
  const end = spanFrom(now, { n: op === 'within_next' ? n : -n, unit }).getTime();
  if (op === 'more_than_ago') return { before: end };
  return op === 'within_last'
    ? { after: end, before: now.getTime() + 1 }
    : { after: now.getTime() - 1, before: end + 1 };
}

function within(field: FieldPath, reading: Reading, intervalOf: (moment: Moment) => Interval): Question {
  const intervalAt = keepLatest(intervalOf);
  const isTrue = (moment: Moment) => reading.isWithin(field, intervalAt(moment));
  return {
    predicate(moment, wanted = true) {
      if (wanted) return isTrue(moment);
      return sql`(case when ${exists(field)} then ${reading.isReadable(field)} and ${isTrue(moment)} is not true else true end)`;
    },
    evaluate(person, moment) {
      const value = presentValue(person, field);
      if (value === undefined) return false;
      const read = reading.read(value);
      if (read === undefined) return undefined;
      const { after = -Infinity, before = Infinity } = intervalAt(moment);
      return read > after && read < before;
    },
    changedSince(since, moment) {
      const then = { ...moment, now: since };
      const isFixed = JSON.stringify(intervalAt(then)) === JSON.stringify(intervalAt(moment));
      return isFixed ? [] : [sql`(${isTrue(moment)} is distinct from ${isTrue(then)})`];
    },
    validUntil: () => never,
    cost: isOfTime(field) ? 'index' : 'scan',
    mayBeUnreadable: !isOfTime(field),
    readValue: (person) => valueIn(person, field),
  };
}
