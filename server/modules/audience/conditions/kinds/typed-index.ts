import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FieldLeaf } from '#contracts/expressions.ts';
import { readBound, readNumber } from '#contracts/expression-rules.ts';
import { longestTypedText } from '#contracts/field-types.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { foldValue } from '#contracts/fold-value.ts';
import type { Moment, Predicate, Question } from '../question.ts';
import { daysFrom, earliestMs, latestMs } from './anniversary-leaf.ts';
import { spanInterval } from './interval-leaf.ts';
import type { Interval } from './interval-leaf.ts';
import { spellings } from './text-leaf.ts';
import { dayOrMoment, readMoment, truthOf } from './typed-leaf.ts';

type OfValues = RawBuilder<boolean>;

/** The question over typed values `v`, of which those of the field and the profile are asked. */
type Asked = {
  isTrue(moment: Moment): OfValues;
  /** Of one that does not read as what is asked; undefined: as its type. */
  isUnread?: OfValues;
  /** Whether it may be true of several values of one profile. */
  isRepeated?: boolean;
  /** Over the times of which the answer changed in between; undefined: of none. */
  changed?(then: Moment, now: Moment): OfValues[];
};

/** The same question, answered from the values that are indexed as the field's type; as it was where they do not say. */
export function fromIndex(question: Question, { leaf, type, id }: { leaf: FieldLeaf; type: FieldType; id: number }) {
  const asked = askedOf(leaf, type);
  if (!asked) return question;
  // By the key of the table: hashed where the planner thinks it fits, else looked up.
  const hasValue = (moment: Moment, condition: OfValues): Predicate => sql`
    exists (select from typed_values v
             where v.account_id = ${moment.accountId} and v.profile_id = profiles.id and v.field_id = ${id} and ${condition})`;
  const isUnread = asked.isUnread ?? sql`not v.is_readable`;
  const indexed: Question = {
    ...question,
    predicate: (moment, wanted = true) =>
      wanted
        ? hasValue(moment, asked.isTrue(moment))
        : sql`(not ${hasValue(moment, sql`(${asked.isTrue(moment)} or ${isUnread})`)})`,
    ids: ({ accountId, ...moment }) => sql`
      select ${asked.isRepeated ? sql`distinct` : sql``} v.profile_id from typed_values v
       where v.account_id = ${accountId} and v.field_id = ${id} and ${asked.isTrue({ accountId, ...moment })}`,
    ...(!asked.isUnread && {
      isAnyUnread: ({ accountId }) => sql`
        exists (select from typed_values v
                 where v.account_id = ${accountId} and v.field_id = ${id} and not v.is_readable)`,
    }),
    changedSince: (since, moment) =>
      (asked.changed?.({ ...moment, now: since }, moment) ?? []).map((condition) => hasValue(moment, condition)),
    cost: 'index',
  };
  return indexed;
}

function askedOf(leaf: FieldLeaf, type: FieldType): Asked | undefined {
  switch (type) {
    case 'text':
    case 'list':
      return ofTexts(leaf, type);
    case 'boolean':
      return ofTruth(leaf);
    case 'number':
      return ofNumbers(leaf);
    case 'date':
      return leaf.op === 'anniversary_in' ? ofAnniversary(leaf) : ofMoments(leaf);
  }
}

const valuesOf = (leaf: FieldLeaf) =>
  leaf.op === 'in' ? leaf.value : leaf.op === 'equals' || leaf.op === 'includes' ? [leaf.value] : undefined;

/** Longer texts are cut in the index, and empty ones are not in it. */
const isWhole = (text: string) => text !== '' && text.length < longestTypedText;

function ofTexts(leaf: FieldLeaf, type: 'text' | 'list'): Asked | undefined {
  if (leaf.op === 'starts') {
    const part = foldValue(String(leaf.value));
    if (!isWhole(part) || type !== 'text') return undefined;
    return { isTrue: () => sql`v.text ^@ ${part}::text`, isRepeated: true };
  }
  if (leaf.op === 'includes' && type === 'text') return undefined;
  const texts = valuesOf(leaf)?.flatMap(spellings);
  if (!texts?.every(isWhole)) return undefined;
  const [first, ...others] = texts;
  // Of one text the index has the profiles in their order.
  if (first !== undefined && others.length === 0) return { isTrue: () => sql`v.text = ${first}::text` };
  return { isTrue: () => sql`v.text = any(${texts}::text[])`, isRepeated: true };
}

function ofTruth(leaf: FieldLeaf): Asked | undefined {
  const wanted = valuesOf(leaf)?.flatMap((value) => truthOf(value) ?? []) ?? [];
  if (wanted.length === 0) return undefined;
  return { isTrue: () => sql`v.number = any(${wanted.map(Number)}::float8[])` };
}

function ofNumbers(leaf: FieldLeaf): Asked | undefined {
  if (leaf.op === 'gt' || leaf.op === 'lt' || leaf.op === 'between') {
    const bounds = (leaf.op === 'between' ? leaf.value : [leaf.value]).map(readBound);
    const [first, last] = bounds.map((bound) => (bound?.kind === 'number' ? bound.value : undefined));
    if (first === undefined) return undefined;
    if (leaf.op !== 'between') return within(() => [leaf.op === 'gt' ? { after: first } : { before: first }]);
    return last === undefined
      ? undefined
      : { isTrue: () => sql`v.number between ${first}::float8 and ${last}::float8` };
  }
  const numbers = valuesOf(leaf)?.flatMap((value) => readNumber(value) ?? []) ?? [];
  return numbers.length === 0 ? undefined : { isTrue: () => sql`v.number = any(${numbers}::float8[])` };
}

function ofMoments(leaf: FieldLeaf): Asked | undefined {
  switch (leaf.op) {
    case 'within_last':
    case 'more_than_ago':
    case 'within_next':
      return within((moment) => [spanInterval(leaf, moment)]);
    case 'gt':
    case 'lt':
    case 'between': {
      const [first, last = first] = (leaf.op === 'between' ? leaf.value : [leaf.value]).map(readMoment);
      if (first === undefined || last === undefined) return undefined;
      if (leaf.op === 'between') return within(() => [{ after: first - 1, before: last + 1 }]);
      return within(() => [leaf.op === 'gt' ? { after: first } : { before: first }]);
    }
    default: {
      const days = valuesOf(leaf)?.flatMap((value) => {
        const read = dayOrMoment(value);
        return read ? [{ after: read[0] - 1, before: read[1] + 1 }] : [];
      });
      return days && days.length > 0 ? within(() => days) : undefined;
    }
  }
}

/** In any of the intervals, neither end of which is part of it. */
function within(intervalsAt: (moment: Moment) => readonly Interval[]): Asked {
  return {
    isTrue: (moment) => sql`(${sql.join(intervalsAt(moment).map(isIn), sql` or `)})`,
    changed: (then, now) =>
      intervalsAt(then).flatMap((before, place) => {
        const after = intervalsAt(now)[place];
        return [crossed(before.after, after?.after), crossed(before.before, after?.before)].flatMap(
          (bounds) => bounds ?? [],
        );
      }),
  };
}

const isIn = ({ after, before }: Interval): OfValues => sql`
  (${after === undefined ? sql`v.number is not null` : sql`v.number > ${after}::float8`}
   ${before === undefined ? sql`` : sql`and v.number < ${before}::float8`})`;

/** The values that a bound went past. */
function crossed(then: number | undefined, now: number | undefined): OfValues | undefined {
  if (then === undefined || now === undefined || then === now) return undefined;
  return sql`v.number between ${Math.min(then, now)}::float8 and ${Math.max(then, now)}::float8`;
}

type AnniversaryLeaf = Extract<FieldLeaf, { op: 'anniversary_in' }>;

/** A day is its own in every zone; a moment falls on a day of the account's. */
function ofAnniversary(leaf: AnniversaryLeaf): Asked {
  const isMoment = sql`v.day is null and v.number between ${earliestMs}::float8 and ${latestMs}::float8`;
  const falls = (days: readonly string[], { timezone }: Moment): OfValues => sql`
    (v.day = any(${days}::text[])
     or (${isMoment} and to_char(to_timestamp(v.number::numeric / 1000.0) at time zone ${timezone}, 'MM-DD')
                           = any(${days}::text[])))`;
  return {
    isTrue: (moment) => falls(daysFrom(moment, leaf), moment),
    isUnread: sql`(v.day is null and not coalesce(v.number between ${earliestMs}::float8 and ${latestMs}::float8, false))`,
    changed(then, now) {
      const [before, after] = [daysFrom(then, leaf), daysFrom(now, leaf)];
      const days = [...before.filter((day) => !after.includes(day)), ...after.filter((day) => !before.includes(day))];
      return days.length === 0 ? [] : [falls(days, now)];
    },
  };
}
