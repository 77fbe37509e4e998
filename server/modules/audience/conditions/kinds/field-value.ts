import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath } from '#contracts/field-path.ts';
import { customValue, factSql } from '#server/modules/audience/profiles/index.ts';
import type { Person } from '../question.ts';
import { fieldValue, isThere } from './matches-condition.ts';

/** The field as jsonb. */
export function jsonOf(field: FieldPath): RawBuilder<unknown> {
  if (field.kind === 'fact') return sql`to_jsonb(${factSql(field.fact)})`;
  return field.kind === 'custom' ? customValue(field.keys) : sql`to_jsonb(${sql.ref(`profiles.${field.column}`)})`;
}

export function readField(path: string): FieldPath {
  const field = parseFieldPath(path);
  if (!field) throw new Error(`No field path: ${path}`);
  return field;
}

export const valueIn = (person: Person, field: FieldPath): unknown => fieldValue(person, field);

/** Undefined where nothing is there to be read. */
export function presentValue(person: Person, field: FieldPath): unknown {
  const value = fieldValue(person, field);
  return isThere(value) ? value : undefined;
}
