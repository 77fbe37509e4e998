import { z } from 'zod';
import type { ColumnType } from './column-types.ts';

/** How conditions read the values of a custom field, once the account has said so. */
export const FieldType = z.enum(
  ['text', 'number', 'date', 'boolean', 'list'],
  'Choose text, number, date, boolean or list',
);
export type FieldType = z.infer<typeof FieldType>;

/** Names the index of a field's values, once they are all there. JSON leaves it out: who keeps criteria keeps no index. */
export const indexedAs = Symbol('indexedAs');

/** The type of a field, null where it was taken back, and since when that holds, ISO 8601. */
export type TypeOfField = { type: FieldType | null; since: string; [indexedAs]?: number };

/** The type that a custom field gets by an import of such a column; none by one of text. */
export const typeOfColumn: Readonly<Record<ColumnType, FieldType | null>> = {
  text: null,
  number: 'number',
  date_dmy: 'date',
  date_mdy: 'date',
  date_iso: 'date',
  yes_no: 'boolean',
  list: 'list',
};

const ofText = ['equals', 'in', 'contains', 'starts', 'exists'] as const;

/** The operators that a field of each type takes. */
export const operatorsOfType = {
  text: ofText,
  number: ['equals', 'in', 'gt', 'lt', 'between', 'exists'],
  date: [
    'equals',
    'in',
    'gt',
    'lt',
    'between',
    'within_last',
    'more_than_ago',
    'within_next',
    'anniversary_in',
    'exists',
  ],
  boolean: ['equals', 'in', 'exists'],
  list: ['includes', ...ofText],
} as const satisfies Readonly<Record<FieldType, readonly string[]>>;

/** Values of typed fields are indexed as texts up to here. */
export const longestTypedText = 200;
