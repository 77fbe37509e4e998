import { z } from 'zod';
import { parseFieldPath, profileColumns, profileFacts } from './field-path.ts';
import { nearestName } from './nearest-name.ts';

export const SegmentOperator = z.enum(['equals', 'not_equals', 'exists', 'not_exists']);
export type SegmentOperator = z.infer<typeof SegmentOperator>;

/** The field is a time, ISO 8601 or epoch milliseconds; the value a number of hours or days. */
export const TimeOperator = z.enum(['before_hours_ago', 'after_hours_ago', 'before_days_ago', 'after_days_ago']);
export type TimeOperator = z.infer<typeof TimeOperator>;

export const ConditionOperator = z.enum([...SegmentOperator.options, ...TimeOperator.options], 'Choose an operator');
export type ConditionOperator = z.infer<typeof ConditionOperator>;

/** JSON text may spell what the database's text cannot hold: half of a surrogate pair, and NUL. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000');
export const notStorable = 'The text holds a character that cannot be stored';

/** Custom fields may be called anything: the word before their first dot alone can be misspelt. */
function unknownField(path: string): string {
  const [, head = path, keys = ''] = /^([^.]*)(\..*)$/s.exec(path.trim()) ?? [];
  const known = keys === '' ? [...profileColumns, ...profileFacts] : ['custom_fields'];
  const nearest = nearestName(head, known);
  return nearest === undefined ? 'Unknown field' : `Unknown field. Did you mean ${nearest}${keys}?`;
}

/** A profile column, or `custom_fields.` and a dotted path; see `field-path.ts` for how odd keys are written. */
export const FieldPath = z
  .string('Choose a field')
  .trim()
  .min(1, { error: 'Choose a field', abort: true })
  .max(600, 'Use at most 600 characters')
  .refine(isStorable, { error: notStorable, abort: true })
  .refine((path) => parseFieldPath(path) !== undefined, { error: ({ input }) => unknownField(String(input)) });

/** Saves a condition although no profile has its field yet; otherwise that is a 422. */
export const AllowUnknown = z.boolean('Enter true or false');

/** Free text; a number or a boolean is taken as the text that spells it, nothing as empty text. */
const ConditionValue = z
  .union([z.string(), z.number(), z.boolean(), z.null()], 'Enter text, a number, true or false')
  .optional()
  .transform((value) => (value === null || value === undefined ? '' : String(value)))
  .pipe(z.string().max(1000, 'Use at most 1000 characters').refine(isStorable, notStorable));

/** A hundred years of hours; beyond it the time is nobody's. */
const largestSpan = 876_000;

const isSpan = (text: string) => /^\d{1,6}(\.\d{1,3})?$/.test(text.trim()) && Number(text) <= largestSpan;

type Parts = { operator: ConditionOperator; value: string };

function isMeasuredWell({ operator, value }: Parts): boolean {
  return !TimeOperator.safeParse(operator).success || isSpan(value);
}

/** The condition of a segment. The answer's `value` is always text. */
export const SegmentCondition = z.object({
  fieldPath: FieldPath.describe('A column of the profile, or `custom_fields.` and a dotted path.'),
  operator: SegmentOperator.describe('How field and value are compared.'),
  value: ConditionValue.describe('What the field is compared with, as text.'),
});
export type SegmentCondition = z.output<typeof SegmentCondition>;

/** The condition of a flow: a segment's operators, and times. */
export const Condition = z
  .object(
    {
      fieldPath: FieldPath.describe('A column of the profile, or `custom_fields.` and a dotted path.'),
      operator: ConditionOperator.describe('How field and value are compared.'),
      value: ConditionValue.describe('What the field is compared with, as text.'),
    },
    'Enter a condition: fieldPath, operator and value',
  )
  .refine(isMeasuredWell, { path: ['value'], message: 'Enter a number' });
export type Condition = z.output<typeof Condition>;

/**
 * How the matching profiles are found: by an index, or by reading the account's profiles one after the other, which
 * takes about a second for each million. Where nearly all match, the database reads all of them, index or not.
 */
export const ConditionCost = z.enum(['index', 'scan']);
export type ConditionCost = z.infer<typeof ConditionCost>;
