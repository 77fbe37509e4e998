import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Condition, ConditionCost } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath, ProfileColumn } from '#contracts/field-path.ts';
import { customText, customValue, factSql } from '#server/modules/audience/profiles/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import { columnTexts, spelledValues } from './spelled-value.ts';
import { timeThreshold } from './time-threshold.ts';

type Predicate = RawBuilder<boolean>;

const never: Predicate = sql`false`;
export const isTimeColumn = (column: ProfileColumn): column is 'created_at' | 'updated_at' => column.endsWith('_at');

/**
 * A flat condition as SQL over the table `profiles`: true for a match; for the others false, or null where a column is
 * empty. Every value is a parameter.
 */
export function compileCondition(condition: Condition, now: Date): Predicate {
  const field = parseFieldPath(condition.fieldPath);
  if (!field) return never;
  const { operator } = condition;
  switch (operator) {
    case 'equals':
      return equals(field, condition.value);
    case 'not_equals':
      return isNot(equals(field, condition.value));
    case 'exists':
      return exists(field);
    case 'not_exists':
      return isNot(exists(field));
    case 'before_hours_ago':
    case 'after_hours_ago':
    case 'before_days_ago':
    case 'after_days_ago':
      return compareTime(field, timeThreshold(operator, condition.value, now));
    default:
      return assertNever(operator);
  }
}

/** Whether an index serves it. */
export function costOf({ fieldPath, operator, value }: Condition): ConditionCost {
  const field = parseFieldPath(fieldPath);
  if (!field) return 'index';
  if (field.kind === 'fact') return 'scan';
  if (operator === 'equals') return isOfNearlyAll(field, value) ? 'scan' : 'index';
  const isOfTime = operator.endsWith('_ago') && field.kind === 'column' && isTimeColumn(field.column);
  return isOfTime ? 'index' : 'scan';
}

/** There is an index of the numbers that are not valid; those that are would fill one of all profiles. */
const isOfNearlyAll = (field: FieldPath, text: string): boolean =>
  field.kind === 'column' && field.column === 'phone_is_valid' && columnTexts(field.column, text)[0] === true;

const isNot = (predicate: Predicate): Predicate => sql`(${predicate}) is not true`;
const columnRef = (column: ProfileColumn) => sql.ref(`profiles.${column}`);

function equals(field: FieldPath, text: string): Predicate {
  if (field.kind === 'fact') return sql`(${factSql(field.fact)} = ${text})`;
  return field.kind === 'column' ? columnEquals(field.column, text) : customEquals(field.keys, text);
}

function columnEquals(column: ProfileColumn, text: string): Predicate {
  const [value] = columnTexts(column, text);
  switch (column) {
    case 'phone':
      return sql`(profiles.phone = ${value})`;
    case 'country_code':
    case 'email':
    case 'status':
      return sql`(${columnRef(column)} = ${text})`;
    case 'name':
      // The index holds names in lower case.
      return sql`(lower(profiles.name) = lower(${text}) and profiles.name = ${text})`;
    case 'phone_is_valid':
      if (value === undefined) return never;
      return value === true ? sql`profiles.phone_is_valid` : sql`(not profiles.phone_is_valid)`;
    case 'tags':
      return sql`(profiles.tags @> array[${value}]::text[])`;
    case 'created_at':
    case 'updated_at': {
      const time = new Date(text);
      const isAsPresented = !Number.isNaN(time.getTime()) && time.toISOString() === text;
      return isAsPresented ? sql`(${columnRef(column)} = ${time})` : never;
    }
    default:
      return assertNever(column);
  }
}

/** The value itself, or a list with it: containment is exact, and the cheapest question to both the index and a row. */
function customEquals(keys: readonly string[], text: string): Predicate {
  const values = spelledValues(text);
  const documents = [...values, ...values.map((value) => [value])].map((value) =>
    keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  );
  const contained = documents.map((document) => sql`profiles.custom_fields @> ${JSON.stringify(document)}::jsonb`);
  return sql`(${sql.join(contained, sql` or `)})`;
}

const jsonPath = (keys: readonly string[]) => `strict $${keys.map((key) => `.${JSON.stringify(key)}`).join('')}`;

export function exists(field: FieldPath): Predicate {
  if (field.kind === 'custom') return sql`(coalesce(${customValue(field.keys)}, 'null') not in ('null', '""'))`;
  if (field.kind === 'fact') return sql`(coalesce(${factSql(field.fact)}, '') <> '')`;
  if (field.column === 'tags') return sql`(profiles.tags <> '{}')`;
  const isText = ['country_code', 'name', 'email'].includes(field.column);
  return isText ? sql`(coalesce(${columnRef(field.column)}, '') <> '')` : sql`true`;
}

/** The form of a time as programs write it. A pattern of LIKE is far cheaper than a regular expression. */
const plainForm = '____-__-__T__:__:__.___Z';
/** Whether the form holds a time that there is, where `datetime` errs; an error in a path is no match. */
const plainTime = '.datetime("YYYY-MM-DD\\"T\\"HH24:MI:SS.FF3\\"Z\\"")';
/** Text that `datetime` would accept for digits all the same: signs, spaces, and a month or a day of zero. */
const notPlain = '[^0-9]{2}|-00';

export function compareTime(field: FieldPath, { isBefore, at }: { isBefore: boolean; at: Date }): Predicate {
  const sign = isBefore ? sql`<` : sql`>`;
  if (field.kind === 'column' && isTimeColumn(field.column)) return sql`(${columnRef(field.column)} ${sign} ${at})`;
  if (field.kind === 'column' && ['phone_is_valid', 'tags'].includes(field.column)) return never;
  const own =
    field.kind === 'column' ? columnRef(field.column) : field.kind === 'fact' ? factSql(field.fact) : sql`null`;
  const value = field.kind === 'custom' ? customValue(field.keys) : sql`to_jsonb(${own})`;
  const text = field.kind === 'custom' ? customText(field.keys) : own;
  const [document, path] =
    field.kind === 'custom' ? [sql`profiles.custom_fields`, jsonPath(field.keys)] : [value, 'strict $'];
  // Plain times compare as text does; what begins as no time does is none. Reading the value is for the few others. A
  // single expression, as a query of its own in it would keep the scan to one process, and the cheapest questions
  // first.
  return sql`(case when ${text} like ${sql.lit(plainForm)}
                     then ${text} ${sign} ${at.toISOString()} collate "C" and ${text} >= '1' collate "C"
                          and ${text} !~ ${sql.lit(notPlain)} and ${document} @? ${path + plainTime}::jsonpath
                   when ${text} is null or ${text} >= ':' collate "C" then false
                   else coalesce(epoch_ms_of(${value}) ${sign} ${at.getTime()}::numeric, false) end)`;
}
