import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Condition, ConditionCost } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath, ProfileColumn } from '#contracts/field-path.ts';
import { customValue } from '#server/modules/profiles/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import { spelledValues } from './spelled-value.ts';
import { timeThreshold } from './time-threshold.ts';

type Predicate = RawBuilder<boolean>;

/** A condition as SQL over the table `profiles`, which the statement narrows to the account itself. */
export type CompiledCondition = {
  /** True for a match; for the others false, or null where a column is empty. */
  predicate: Predicate;
  cost: ConditionCost;
};

const never: Predicate = sql`false`;
const isTimeColumn = (column: ProfileColumn): column is 'created_at' | 'updated_at' => column.endsWith('_at');

/** The one place where conditions become SQL; every value of theirs is a parameter. */
export function compileCondition(accountId: number, condition: Condition, now: Date): CompiledCondition {
  const field = parseFieldPath(condition.fieldPath);
  if (!field) return { predicate: never, cost: 'index' };
  const { operator } = condition;
  switch (operator) {
    case 'equals':
      return { predicate: equals(accountId, field, condition.value), cost: 'index' };
    case 'not_equals':
      return { predicate: isNot(equals(accountId, field, condition.value)), cost: 'scan' };
    case 'exists':
      return { predicate: exists(field), cost: 'scan' };
    case 'not_exists':
      return { predicate: isNot(exists(field)), cost: 'scan' };
    case 'before_hours_ago':
    case 'after_hours_ago':
    case 'before_days_ago':
    case 'after_days_ago': {
      const isIndexed = field.kind === 'column' && isTimeColumn(field.column);
      const predicate = compareTime(field, timeThreshold(operator, condition.value, now));
      return { predicate, cost: isIndexed ? 'index' : 'scan' };
    }
    default:
      return assertNever(operator);
  }
}

const isNot = (predicate: Predicate): Predicate => sql`(${predicate}) is not true`;
const anyOf = (predicates: readonly Predicate[]): Predicate => sql`(${sql.join(predicates, sql` or `)})`;
const columnRef = (column: ProfileColumn) => sql.ref(`profiles.${column}`);

function equals(accountId: number, field: FieldPath, text: string): Predicate {
  return field.kind === 'column' ? columnEquals(field.column, text) : customEquals(accountId, field.keys, text);
}

function columnEquals(column: ProfileColumn, text: string): Predicate {
  switch (column) {
    case 'phone':
    case 'country_code':
    case 'email':
    case 'status':
      return sql`(${columnRef(column)} = ${text})`;
    case 'name':
      // The index holds names in lower case.
      return sql`(lower(profiles.name) = lower(${text}) and profiles.name = ${text})`;
    case 'phone_is_valid':
      if (text !== 'true' && text !== 'false') return never;
      return text === 'true' ? sql`profiles.phone_is_valid` : sql`(not profiles.phone_is_valid)`;
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

/** Only `@>` reads the index: one containment for each stored value that the text spells. */
function customEquals(accountId: number, keys: readonly string[], text: string): Predicate {
  return anyOf(
    spelledValues(text).map((value) => {
      const contained = [String(accountId), ...keys].reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      return sql`account_custom_fields(profiles.account_id, profiles.custom_fields) @> ${JSON.stringify(contained)}::jsonb`;
    }),
  );
}

function exists(field: FieldPath): Predicate {
  if (field.kind === 'custom') return sql`(coalesce(${customValue(field.keys)}, 'null') not in ('null', '""'))`;
  const isText = ['country_code', 'name', 'email'].includes(field.column);
  return isText ? sql`(coalesce(${columnRef(field.column)}, '') <> '')` : sql`true`;
}

function compareTime(field: FieldPath, { isBefore, at }: { isBefore: boolean; at: Date }): Predicate {
  const sign = isBefore ? sql`<` : sql`>`;
  if (field.kind === 'column' && isTimeColumn(field.column)) return sql`(${columnRef(field.column)} ${sign} ${at})`;
  if (field.kind === 'column' && field.column === 'phone_is_valid') return never;
  const value = field.kind === 'custom' ? customValue(field.keys) : sql`to_jsonb(${columnRef(field.column)})`;
  return sql`coalesce(epoch_ms_of(${value}) ${sign} ${at.getTime()}::numeric, false)`;
}
