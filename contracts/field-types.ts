import { z } from 'zod';

/** How conditions read the values of a custom field, once the account has said so. */
export const FieldType = z.enum(
  ['text', 'number', 'date', 'boolean', 'list'],
  'Choose text, number, date, boolean or list',
);
export type FieldType = z.infer<typeof FieldType>;

/** The type of a field, null where it was taken back, and since when that holds, ISO 8601. */
export type TypeOfField = { type: FieldType | null; since: string };

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
