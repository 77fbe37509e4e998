import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ExpressionValue, FieldLeaf } from '#contracts/expressions.ts';
import { decimalText, foldValue } from '#contracts/fold-value.ts';
import type { FieldPath } from '#contracts/field-path.ts';
import { normalizeTag } from '#contracts/profile-tags.ts';
import { digitsToFind } from '#contracts/understand-number.ts';
import { factSql } from '#server/modules/audience/profiles/index.ts';
import type { Person, Predicate, Question } from '../question.ts';
import { jsonOf, readField, valueIn } from './field-value.ts';
import { flatCondition } from './flat-condition.ts';
import { anyOf } from './groups.ts';
import { never } from './next-change.ts';

type TextLeaf = Extract<FieldLeaf, { op: 'equals' | 'contains' | 'starts' | 'includes' }>;
type InLeaf = Extract<FieldLeaf, { op: 'in' }>;

/** Columns with rules of their own for what equals. */
const ownEquality: readonly string[] = ['phone', 'tags', 'phone_is_valid', 'created_at', 'updated_at'];

/** Text in any case, with or without spaces around it; of a list, one of its members. Any value can be read as text. */
export function textLeaf({ field: path, op, value }: TextLeaf): Question {
  const isEquality = op === 'equals' || op === 'includes';
  if (isEquality && ownEquality.includes(path)) {
    return flatCondition({ fieldPath: path, operator: 'equals', value: String(value) });
  }
  const field = readField(path);
  if (isEquality) return compared(field, { values: spellings(value), op });
  return compared(field, { values: [partOf(field, value)], op });
}

/** Asks whether the field equals any of the values. */
export function inLeaf({ field: path, value }: InLeaf): Question {
  if (!ownEquality.includes(path)) return compared(readField(path), { values: value.flatMap(spellings), op: 'equals' });
  const questions = value.map((each) => textLeaf({ field: path, op: 'equals', value: each }));
  return { ...anyOf(questions), readValue: (person) => valueIn(person, readField(path)) };
}

type Comparison = { values: readonly string[]; op: TextLeaf['op'] };

function compared(field: FieldPath, { values, op }: Comparison): Question {
  const isTrue = () => textPredicate(field, { values, op });
  return {
    predicate: (_moment, wanted = true) => (wanted ? isTrue() : sql`((${isTrue()}) is not true)`),
    evaluate(person) {
      const value = valueIn(person, field);
      if (op === 'includes' && !Array.isArray(value)) return false;
      const texts = textsOf(value, field);
      if (op === 'contains') return texts.some((text) => values.some((part) => text.includes(part)));
      if (op === 'starts') return texts.some((text) => values.some((part) => text.startsWith(part)));
      return texts.some((text) => values.includes(text));
    },
    changedSince: () => [],
    validUntil: () => never,
    cost: 'scan',
    mayBeUnreadable: false,
    readValue: (person: Person) => valueIn(person, field),
  };
}

function textPredicate(field: FieldPath, { values, op }: Comparison): Predicate {
  const texts = storedTexts(field);
  switch (op) {
    case 'equals':
      return sql`(${texts} && ${values}::text[])`;
    case 'includes':
      return sql`(jsonb_typeof(${jsonOf(field)}) = 'array' and ${texts} && ${values}::text[])`;
    case 'contains':
      return sql`exists (select from unnest(${texts}) as member where strpos(member, ${values[0]}) > 0)`;
    case 'starts':
      return sql`exists (select from unnest(${texts}) as member where starts_with(member, ${values[0]}))`;
  }
}

/** The result of `textsOf`, as a list of texts. */
export function storedTexts(field: FieldPath): RawBuilder<string[]> {
  if (field.kind === 'custom') return sql`folded_texts(${jsonOf(field)})`;
  if (field.kind === 'fact') return sql`array[folded_value(${factSql(field.fact)})]`;
  const column = sql.ref(`profiles.${field.column}`);
  return field.column === 'tags' ? sql`profiles.tags` : sql`array[folded_value(${column}::text)]`;
}

export function textsOf(value: unknown, field: FieldPath): string[] {
  if (field.kind === 'column' && field.column === 'tags') return Array.isArray(value) ? (value as string[]) : [];
  if (typeof value === 'string') return [foldValue(value)];
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((member) => {
    if (typeof member === 'string') return [foldValue(member)];
    if (typeof member === 'number') return [decimalText(member)];
    return typeof member === 'boolean' ? [String(member)] : [];
  });
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The texts that a value equals: the text, and the number that it spells. */
export function spellings(value: ExpressionValue): string[] {
  if (typeof value === 'number') return [decimalText(value)];
  const text = foldValue(String(value));
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? [...new Set([text, decimalText(number)])] : [text];
}

/** A part of a number, however it is written, is its digits. */
function partOf(field: FieldPath, value: ExpressionValue): string {
  const text = String(value);
  if (field.kind === 'column' && field.column === 'tags') return normalizeTag(text);
  const digits = field.kind === 'column' && field.column === 'phone' ? digitsToFind(text) : '';
  return digits === '' ? foldValue(text) : digits;
}
