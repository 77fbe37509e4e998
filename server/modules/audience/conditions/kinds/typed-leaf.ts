import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { noWords, yesWords } from '#contracts/column-types.ts';
import type { ExpressionValue, FieldLeaf } from '#contracts/expressions.ts';
import type { FieldType, TypeOfField } from '#contracts/field-types.ts';
import { readNumber } from '#contracts/expression-rules.ts';
import { foldValue } from '#contracts/fold-value.ts';
import { readTimeMs } from '#contracts/read-time.ts';
import type { Predicate, Question } from '../question.ts';
import { exists } from './compile-condition.ts';
import { jsonOf, presentValue, readField, valueIn } from './field-value.ts';
import { anyOf } from './groups.ts';
import { numbersBetween, timesBetween } from './interval-leaf.ts';
import { spellings, storedTexts, textsOf } from './text-leaf.ts';
import { never } from './next-change.ts';

/** Asks a field as its type has it; undefined where the type has nothing to say of the operator. */
export function typedLeaf(leaf: FieldLeaf, type: FieldType): Question | undefined {
  const { field } = leaf;
  const isEquality = leaf.op === 'equals' || leaf.op === 'in' || leaf.op === 'includes';
  if (isEquality) {
    const values = leaf.op === 'in' ? leaf.value : [leaf.value];
    const question = equalityOf(field, type, values);
    return question && { ...question, readValue: (person) => valueIn(person, readField(field)) };
  }
  // A number is a moment in milliseconds where the field is a date.
  if (type !== 'date' || !(leaf.op === 'gt' || leaf.op === 'lt' || leaf.op === 'between')) return undefined;
  const bounds = (leaf.op === 'between' ? leaf.value : [leaf.value]).map(readMoment);
  const [first, last = first] = bounds;
  if (first === undefined || last === undefined) return undefined;
  if (leaf.op === 'between') return timesBetween(field, first, last);
  return leaf.op === 'gt' ? timesBetween(field, first + 1, undefined) : timesBetween(field, undefined, first - 1);
}

function equalityOf(field: string, type: FieldType, values: readonly ExpressionValue[]): Question | undefined {
  switch (type) {
    case 'text':
      return undefined;
    case 'number':
      return anyRead(values, readNumber, (each) => numbersBetween(field, each, each));
    case 'date':
      return anyRead(values, dayOrMoment, ([from, to]) => timesBetween(field, from, to));
    case 'boolean':
      return booleanLeaf(field, values);
    case 'list':
      return listLeaf(field, values);
  }
}

/** The same, asked anew of everybody where the type is younger than the search before. */
export function sinceTyped(question: Question, { since: typedAt }: TypeOfField): Question {
  return {
    ...question,
    changedSince: (since, moment) => (new Date(typedAt) >= since ? undefined : question.changedSince(since, moment)),
  };
}

/** The place of a leaf's value that does not read as the type; undefined where all do. */
export function unreadableValue(leaf: FieldLeaf, type: FieldType): (string | number)[] | undefined {
  if (!('value' in leaf)) return undefined;
  const reads: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
    text: () => true,
    list: () => true,
    number: (value) => readNumber(value) !== undefined,
    date: (value) => readMoment(value) !== undefined,
    boolean: (value) => truthOf(value) !== undefined,
  };
  if (!Array.isArray(leaf.value)) return reads[type](leaf.value) ? undefined : ['value'];
  const wrong = leaf.value.findIndex((value) => !reads[type](value));
  return wrong === -1 ? undefined : ['value', wrong];
}

const dayMs = 86_400_000;

/** The years that ISO 8601 writes with four digits; the last day has no bound above it. */
const earliestMs = -62_135_596_800_000;
const latestMs = 253_402_214_400_000;

export function readMoment(value: unknown): number | undefined {
  const ms = readTimeMs(value);
  return Number.isInteger(ms) && Number(ms) >= earliestMs && Number(ms) < latestMs ? ms : undefined;
}

/** A day is all its moments in UTC, as dates without a zone are read. */
export function dayOrMoment(value: unknown): [number, number] | undefined {
  const ms = readMoment(value);
  if (ms === undefined) return undefined;
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return [ms, isDay ? ms + dayMs - 1 : ms];
}

/** Asks for any of the values; a value that does not read as the type is left out. */
function anyRead<T>(
  values: readonly ExpressionValue[],
  read: (value: unknown) => T | undefined,
  ask: (value: T) => Question,
): Question | undefined {
  const asked = values.flatMap((value) => {
    const given = read(value);
    return given === undefined ? [] : [ask(given)];
  });
  return asked.length === 0 ? undefined : anyOf(asked);
}

export function truthOf(value: unknown): boolean | undefined {
  const text = foldValue(String(value));
  if (yesWords.includes(text)) return true;
  return noWords.includes(text) ? false : undefined;
}

function booleanLeaf(path: string, values: readonly ExpressionValue[]): Question | undefined {
  const wanted = values.flatMap((value) => truthOf(value) ?? []);
  if (wanted.length === 0) return undefined;
  const field = readField(path);
  const isOneOf = (words: readonly string[]): Predicate => sql`(${storedTexts(field)} && ${words}::text[])`;
  const isScalar = sql`jsonb_typeof(${jsonOf(field)}) <> 'array'`;
  const words = [...(wanted.includes(true) ? yesWords : []), ...(wanted.includes(false) ? noWords : [])];
  return typed(path, {
    isReadable: sql`(${isScalar} and ${isOneOf([...yesWords, ...noWords])})`,
    isTrue: sql`(${isScalar} and ${isOneOf(words)})`,
    ask(value) {
      const [text] = Array.isArray(value) ? [] : textsOf(value, field);
      const truth = text === undefined ? undefined : truthOf(text);
      return truth === undefined ? undefined : wanted.includes(truth);
    },
  });
}

/** A text is a list of what stands between commas, semicolons and bars. */
function listLeaf(path: string, values: readonly ExpressionValue[]): Question {
  const field = readField(path);
  const json = jsonOf(field);
  const members: RawBuilder<string[]> = sql`
    (case jsonb_typeof(${json})
       when 'string' then array(select folded_value(member)
                                  from regexp_split_to_table(${json} #>> '{}', '[,;|]') as parts (member))
       else ${storedTexts(field)} end)`;
  const wanted = values.flatMap(spellings);
  return typed(path, {
    isReadable: sql`(jsonb_typeof(${json}) <> 'object')`,
    isTrue: sql`(${members} && ${wanted}::text[])`,
    ask(value) {
      if (typeof value === 'string') return value.split(/[,;|]/).some((member) => wanted.includes(foldValue(member)));
      const isObject = typeof value === 'object' && !Array.isArray(value);
      return isObject ? undefined : textsOf(value, field).some((text) => wanted.includes(text));
    },
  });
}

type Asking = { isReadable: Predicate; isTrue: Predicate; ask(value: unknown): boolean | undefined };

/** A missing value is no match, and a match of `not`; an unreadable one is neither. */
function typed(path: string, { isReadable, isTrue, ask }: Asking): Question {
  const field = readField(path);
  return {
    predicate(_moment, wanted = true) {
      if (wanted) return sql`(${exists(field)} and ${isTrue})`;
      return sql`(case when ${exists(field)} then ${isReadable} and ${isTrue} is not true else true end)`;
    },
    evaluate(person) {
      const value = presentValue(person, field);
      return value === undefined ? false : ask(value);
    },
    changedSince: () => [],
    validUntil: () => never,
    cost: 'scan',
    mayBeUnreadable: true,
    readValue: (person) => valueIn(person, field),
  };
}
