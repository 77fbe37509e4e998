import { z } from 'zod';
import { carriedFaults, carriedFields } from './carried-content.ts';
import { AllowUnknown, Condition, FieldPath } from './conditions.ts';
import { givenRules } from './caps.ts';
import { ExcludedSegments } from './expressions.ts';
import { GivenExpression } from './given-expression.ts';

const maxConditions = 20;

/** JSON text is read as what it spells; anything else is left for the next step to judge. */
function readJson(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'Conditions are not valid JSON' });
    return z.NEVER;
  }
}

const oneAsList = (value: unknown): unknown => (isPlainObject(value) ? [value] : value);

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const conditionList = z
  .array(Condition, 'Enter a list of conditions')
  .max(maxConditions, `Use at most ${maxConditions} conditions`);
const noConditions = 'Please add at least one condition';

const readAsList = <T extends z.ZodType>(list: T) => z.preprocess(readJson, z.preprocess(oneAsList, list));

/** All must hold. Given as a list, one object, or the JSON text of either; always answered as a list. */
export const FlowConditions = readAsList(conditionList.min(1, { error: noConditions, abort: true }));
export type FlowConditions = z.output<typeof FlowConditions>;

const span = (max: number) =>
  z.coerce
    .string<string | number>()
    .trim()
    .regex(/^\d{1,7}$/, 'Enter a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'Use at least 1').max(max, `Use at most ${max}`));

const dateFieldPath = FieldPath.default('updated_at');
const hundredYearsOfHours = 876_000;

/**
 * How recent the date field has to be; a profile whose date lies further back or in the future, or cannot be read, is
 * left out.
 */
export const FlowDuration = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('last_minutes').describe('What kind it is.'),
      minutes: span(5_000_000).describe('How many minutes.'),
      dateFieldPath: dateFieldPath.describe('The field that holds the date.'),
    }),
    z.object({
      type: z.literal('last_hours').describe('What kind it is.'),
      hours: span(hundredYearsOfHours).describe('How many hours.'),
      dateFieldPath: dateFieldPath.describe('The field that holds the date.'),
    }),
    z.object({
      type: z.literal('last_days').describe('What kind it is.'),
      days: span(36_500).describe('How many days.'),
      dateFieldPath: dateFieldPath.describe('The field that holds the date.'),
    }),
  ],
  'Choose last_minutes, last_hours or last_days',
);
export type FlowDuration = z.output<typeof FlowDuration>;

export const defaultFlowDuration: FlowDuration = { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' };

/** How often one profile may get the message; days are days of the account's calendar. */
export const FlowFrequency = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('lifetime').describe('What kind it is.'),
      value: z
        .unknown()
        .optional()
        .transform(() => null)
        .describe('How many hours or days; none with `lifetime`.'),
    }),
    z.object({
      type: z.literal('once_per_hours').describe('What kind it is.'),
      value: span(hundredYearsOfHours).describe('How many hours or days; none with `lifetime`.'),
    }),
    z.object({
      type: z.literal('once_per_days').describe('What kind it is.'),
      value: span(36_500).describe('How many hours or days; none with `lifetime`.'),
    }),
  ],
  'Choose lifetime, once_per_hours or once_per_days',
);
export type FlowFrequency = z.output<typeof FlowFrequency>;

const ProjectId = z.int('Choose a project').positive('Choose a project');

/** A file that is not named stays. `project_id` is another spelling of `projectId`; the answer has both. */
const FlowAction = z
  .object(
    {
      type: z
        .literal('send_message', 'The action is always send_message')
        .default('send_message')
        .describe('What kind it is.'),
      projectId: ProjectId.optional().describe('Of which project.'),
      project_id: ProjectId.optional().describe('Of which project.'),
      ...carriedFields,
    },
    'Choose a project and enter a message',
  )
  .meta({ examples: [{ projectId: 1, message: 'Hello {name|there}' }] })
  .transform(({ projectId, project_id: alternate, message = '', media, template }, context) => {
    const id = projectId ?? alternate;
    if (id === undefined) {
      context.addIssue({ code: 'custom', path: ['projectId'], message: 'Choose a project' });
      return z.NEVER;
    }
    return {
      type: 'send_message' as const,
      projectId: id,
      message,
      ...(media !== undefined && { media }),
      ...(template !== undefined && { template }),
    };
  });

const FlowName = z.string('Enter a name').trim().min(1, 'Enter a name').max(120, 'Use at most 120 characters');

const Active = z.boolean('Enter true or false');

/** Whether those who match when the flow is switched on count as having had the message; by default they get it. */
const SkipCurrent = z.boolean('Enter true or false');

/** The fields that say whom a flow is for. */
export const flowAudience = {
  conditions: readAsList(conditionList).optional().describe('All must hold.'),
  expression: GivenExpression.nullable().optional().describe('Whom it is for, in place of conditions.'),
  exclude_segment_ids: ExcludedSegments.optional(),
  duration: FlowDuration.nullable()
    .optional()
    .describe('With conditions the last 24 hours of `updated_at` unless it is named; with an expression none.'),
};

type GivenAudience = {
  conditions?: readonly unknown[] | undefined;
  expression?: unknown;
  duration?: unknown;
};

/** Either conditions or an expression; an answer's empty list stands beside an expression. */
export function requireFlowAudience(given: GivenAudience, context: z.RefinementCtx): void {
  if (given.conditions === undefined && !given.expression) {
    context.addIssue({ code: 'custom', path: ['conditions'], message: 'Enter a list of conditions' });
  }
  refuseFlowAudience(given, context);
}

function refuseFlowAudience({ conditions, expression, duration }: GivenAudience, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const isEmpty = conditions?.length === 0;
  if (expression && conditions && !isEmpty) refuse('expression', 'Give either conditions or an expression');
  if (!expression && isEmpty) refuse('conditions', noConditions);
  if (conditions && !isEmpty && duration === null) refuse('duration', 'Choose last_minutes, last_hours or last_days');
}

export const NewFlow = z
  .object({
    name: FlowName.describe('Its name, for people.'),
    ...flowAudience,
    ...givenRules,
    action: FlowAction.superRefine((action, { addIssue }) => {
      for (const { path, message } of carriedFaults(action)) addIssue({ code: 'custom', path: [path], message });
    }).describe('What is sent, and from which project.'),
    frequency: FlowFrequency.default({ type: 'lifetime', value: null }).describe('How often one profile may get it.'),
    active: Active.default(true).describe('Whether it runs by itself.'),
    skip_current: SkipCurrent.default(false).describe('Whether those who match now count as having had it.'),
    allow_unknown: AllowUnknown.optional().describe('Saves it although no profile has the field yet.'),
  })
  .superRefine(requireFlowAudience);
export type NewFlow = z.output<typeof NewFlow>;

export const FlowChange = z
  .object({
    name: FlowName.optional().describe('Its name, for people.'),
    ...flowAudience,
    ...givenRules,
    action: FlowAction.optional().describe('What is sent, and from which project.'),
    frequency: FlowFrequency.optional().describe('How often one profile may get it.'),
    active: Active.optional().describe('Whether it runs by itself.'),
    skip_current: SkipCurrent.optional().describe('Whether those who match now count as having had it.'),
    allow_unknown: AllowUnknown.optional().describe('Saves it although no profile has the field yet.'),
  })
  .superRefine(refuseFlowAudience);
export type FlowChange = z.output<typeof FlowChange>;
