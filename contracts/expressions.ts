import { z } from 'zod';
import { FieldPath, isStorable, notStorable } from './conditions.ts';
import type { Condition, SegmentCondition } from './conditions.ts';
import type { TypeOfField } from './field-types.ts';
import { propertyKeys } from './field-path.ts';
import { Id, WrittenMoment } from './page.ts';

/** Text, a number or a boolean. Case and spaces around it do not count. */
const Value = z.union(
  [z.string().max(1000, 'Use at most 1000 characters').refine(isStorable, notStorable), z.number(), z.boolean()],
  'Enter text, a number, true or false',
);
export type ExpressionValue = z.output<typeof Value>;

/** A number, digits that spell one, or a time: ISO 8601, UTC where it names no zone. */
const Bound = z.union([z.number(), z.string().trim().max(40, 'Enter a number or a time')], 'Enter a number or a time');

export const ExpressionUnit = z.enum(
  ['minutes', 'hours', 'days', 'weeks', 'months'],
  'Choose minutes, hours, days, weeks or months',
);
export type ExpressionUnit = z.infer<typeof ExpressionUnit>;

const n = z
  .int('Enter a whole number')
  .min(1, 'Use at least 1')
  .max(5_000_000, 'Use at most 100 years')
  .describe('How many.');
const field = FieldPath.describe('A profile column, or `custom_fields.` and a path.');

/** A condition on a value, by the schema of the path that names it. */
const leafOn = <Path extends z.ZodType<string>>(path: Path) =>
  z.discriminatedUnion(
    'op',
    [
      z.object({
        field: path,
        op: z.enum(['equals', 'contains', 'starts', 'includes']).describe('How the text is compared.'),
        value: Value.describe('`includes`: a member of a list. Case and spaces around it do not count.'),
      }),
      z.object({
        field: path,
        op: z.literal('in').describe('Equals one of the values.'),
        value: z
          .array(Value, 'Enter a list of values')
          .min(1, 'Enter at least one value')
          .max(100, 'Use at most 100 values')
          .describe('What the field is compared with.'),
      }),
      z.object({ field: path, op: z.literal('exists').describe('Something is there.') }),
      z.object({
        field: path,
        op: z.enum(['gt', 'lt']).describe('More than, or less than; of times later, or earlier.'),
        value: Bound.describe('What the field is compared with.'),
      }),
      z.object({
        field: path,
        op: z.literal('between').describe('From one to the other.'),
        value: z.tuple([Bound, Bound], 'Enter two values').describe('Both ends are part of it.'),
      }),
      z.object({
        field: path,
        op: z.enum(['within_last', 'more_than_ago', 'within_next']).describe('Where the time lies, seen from now.'),
        n,
        unit: ExpressionUnit,
      }),
      z.object({
        field: path,
        op: z
          .literal('anniversary_in')
          .describe('Its day of the year comes within the next so many days, weeks or months.'),
        n,
        unit: ExpressionUnit,
      }),
    ],
    'Choose an operator',
  );

export const FieldLeaf = leafOn(field);
export type FieldLeaf = z.output<typeof FieldLeaf>;

export const FieldOperator = z.enum([
  'equals',
  'in',
  'contains',
  'starts',
  'includes',
  'exists',
  'gt',
  'lt',
  'between',
  'within_last',
  'more_than_ago',
  'within_next',
  'anniversary_in',
]);
export type FieldOperator = z.infer<typeof FieldOperator>;

export const SegmentLeaf = z.object({ segment: Id.describe('Who is in this segment.') });
export type SegmentLeaf = z.output<typeof SegmentLeaf>;

const Window = z.union([
  z.object({ last: n.describe('In the last so many.'), unit: ExpressionUnit }),
  z.object({
    from: WrittenMoment.describe('The beginning of the time, part of it.'),
    to: WrittenMoment.describe('The end of the time.'),
  }),
]);

export const MessageState = z.enum(['sent', 'delivered', 'read', 'replied', 'clicked', 'failed']);
export type MessageState = z.infer<typeof MessageState>;

/** Matches people by the outcome of messages of campaigns and flows to them. */
export const MessageLeaf = z.object({
  message: z
    .object({
      of: z.enum(['campaign', 'flow', 'any']).describe('What sent it.'),
      id: Id.optional().describe('This campaign, or this flow; without it any.'),
      last: z.literal(true).optional().describe('Only the latest of them that this person was sent.'),
    })
    .describe('Whose messages count, what became of them, and when.'),
  state: MessageState.describe('How far it came, or further.'),
  not: z.literal(true).optional().describe('Was sent one that has not come as far.'),
  window: Window.optional().describe('When it was sent.'),
});
export type MessageLeaf = z.output<typeof MessageLeaf>;

/** A fixed share of all profiles, by chance: the same ones each time for the same salt. */
export const BucketLeaf = z.object({
  bucket: z
    .object({
      of: z
        .int('Enter into how many parts, a whole number')
        .min(2, 'Use at least 2')
        .max(10_000, 'Use at most 10,000')
        .describe('Into how many parts.'),
      from: z.int().min(0).describe('The first part that counts.'),
      to: z.int().min(1).describe('The part before which it ends: 0 to 10 of 100 is a tenth.'),
      salt: z.string().max(100).refine(isStorable, notStorable).default('').describe('Another one deals anew.'),
    })
    .describe('Which share.'),
});
export type BucketLeaf = z.output<typeof BucketLeaf>;

/** Matches people by what they said of a topic. */
export const TopicLeaf = z.object({
  topic: Id.describe('This topic.'),
  state: z
    .enum(['receives', 'opted_in', 'opted_out'], 'Choose receives, opted_in or opted_out')
    .optional()
    .describe(
      '`receives`, unless it is named: its messages go to them, opting out of everything aside. `opted_in`, ' +
        '`opted_out`: they have said so.',
    ),
});
export type TopicLeaf = z.output<typeof TopicLeaf>;

const PropertyPath = z
  .string('Choose a property')
  .trim()
  .max(600, 'Use at most 600 characters')
  .refine(isStorable, { error: notStorable, abort: true })
  .refine((path) => propertyKeys(path) !== undefined, 'Use properties. and the name of a property')
  .describe('`properties.` and a path.');

/** A condition on a property of an event. */
export const PropertyLeaf = leafOn(PropertyPath);
export type PropertyLeaf = z.output<typeof PropertyLeaf>;

export type PropertyExpression =
  | { all: PropertyExpression[] }
  | { any: PropertyExpression[] }
  | { not: PropertyExpression }
  | PropertyLeaf;

export const PropertyExpression: z.ZodType<PropertyExpression> = z.union([
  z.object({
    get all(): z.ZodType<PropertyExpression[]> {
      return z.array(PropertyExpression).describe('All of them hold.');
    },
  }),
  z.object({
    get any(): z.ZodType<PropertyExpression[]> {
      return z.array(PropertyExpression).describe('At least one of them holds.');
    },
  }),
  z.object({
    get not(): z.ZodType<PropertyExpression> {
      return PropertyExpression;
    },
  }),
  PropertyLeaf,
]);
z.globalRegistry.add(PropertyExpression, { examples: [{ field: 'properties.total', op: 'gt', value: 50 }] });

/** Matches people by how often an event of theirs happened. */
export const EventLeaf = z.object({
  event: z
    .string('Choose an event')
    .trim()
    .min(1, 'Choose an event')
    .max(100, 'Use at most 100 characters')
    .refine(isStorable, notStorable)
    .describe('Its name, or `$message.read` and the like for messages of campaigns, flows and bulk runs.'),
  times: z
    .object({
      op: z.enum(['>=', '=', '<'], 'Choose >=, = or <').describe('At least, exactly, or less often than.'),
      n: z
        .int('Enter a whole number')
        .min(0, 'Use at least 0')
        .max(1_000_000, 'Use at most 1,000,000')
        .describe('How often.'),
    })
    .default({ op: '>=', n: 1 })
    .describe('How often it happened; at least once where it is left out.'),
  window: Window.optional().describe('When it happened.'),
  where: z
    .array(PropertyExpression, 'Enter a list of expressions')
    .min(1, 'Add at least one condition, or leave it out')
    .optional()
    .describe('Only events for which all of these hold; paths begin with `properties.`.'),
});
export type EventLeaf = z.output<typeof EventLeaf>;

export type ExpressionLeaf = FieldLeaf | SegmentLeaf | MessageLeaf | EventLeaf | BucketLeaf | TopicLeaf;
export type Expression = { all: Expression[] } | { any: Expression[] } | { not: Expression } | ExpressionLeaf;

export const AllExpression = z.object({
  get all(): z.ZodType<Expression[]> {
    return z.array(Expression).describe('All of them hold.');
  },
});
export const AnyExpression = z.object({
  get any(): z.ZodType<Expression[]> {
    return z.array(Expression).describe('At least one of them holds.');
  },
});
export const NotExpression = z.object({
  get not(): z.ZodType<Expression> {
    return Expression;
  },
});

/**
 * An expression that selects people. A leaf is true, false or cannot be read; what cannot be read matches neither it
 * nor its `not`.
 */
export const Expression: z.ZodType<Expression> = z.union([
  AllExpression,
  AnyExpression,
  NotExpression,
  FieldLeaf,
  SegmentLeaf,
  MessageLeaf,
  EventLeaf,
  BucketLeaf,
  TopicLeaf,
]);
// As metadata of its own: a copy with it would stand beside the one that the groups hold.
z.globalRegistry.add(Expression, { examples: [{ all: [{ field: 'status', op: 'equals', value: 'active' }] }] });

/** Every profile has a time at which it was made. */
export const everybody: Expression = { field: 'created_at', op: 'exists' };

export const maxExpressionDepth = 5;
export const maxExpressionLeaves = 50;

/** Segments whose members are left out of an audience. */
export const ExcludedSegments = z
  .array(Id, 'Enter a list of segment ids')
  .max(20, 'Leave out at most 20 segments')
  .describe('Whoever is in one of these segments gets nothing, nor does anybody of whom that cannot be read.');

/** A segment with what it was made of when it was looked up, and when that was changed; without: there is none. */
export type FoundSegment = SegmentLeaf & { is?: Criteria | undefined; changed_at?: string | undefined };

/** A topic with what it asks of people when it was looked up; without: there is none. */
export type FoundTopic = TopicLeaf & { is?: { needs_opt_in: boolean; changed_at: string } | undefined };

/** A condition on a field with the type that the account gave it. */
export type TypedFieldLeaf = FieldLeaf & { typed?: TypeOfField | undefined };

/** An expression or a condition with its segments and types looked up. Plain JSON, so that it can be kept. */
export type Criteria =
  | Condition
  | { all: readonly Criteria[] }
  | { any: readonly Criteria[] }
  | { not: Criteria }
  | TypedFieldLeaf
  | MessageLeaf
  | EventLeaf
  | BucketLeaf
  | FoundTopic
  | FoundSegment;

/** The same in an expression; there, case does not count. */
export function expressionOf({ fieldPath, operator, value }: SegmentCondition): Expression {
  switch (operator) {
    case 'equals':
      return { field: fieldPath, op: 'equals', value };
    case 'not_equals':
      return { not: { field: fieldPath, op: 'equals', value } };
    case 'exists':
      return { field: fieldPath, op: 'exists' };
    case 'not_exists':
      return { not: { field: fieldPath, op: 'exists' } };
  }
}

/** A node of an expression by the keys and places that lead to it, dots between; the root's is ''. */
export function nodesOf(expression: Expression, path = ''): { path: string; node: Expression }[] {
  const at = (step: string) => (path === '' ? step : `${path}.${step}`);
  const children =
    'all' in expression
      ? expression.all.map((child, index) => ({ child, step: `all.${index}` }))
      : 'any' in expression
        ? expression.any.map((child, index) => ({ child, step: `any.${index}` }))
        : 'not' in expression && !('message' in expression)
          ? [{ child: expression.not, step: 'not' }]
          : [];
  return [{ path, node: expression }, ...children.flatMap(({ child, step }) => nodesOf(child, at(step)))];
}
