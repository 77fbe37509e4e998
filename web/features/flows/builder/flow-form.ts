import { z } from 'zod';
import { ConditionOperator, FieldPath, type Condition } from '#contracts/conditions.ts';
import { defaultFlowDuration } from '#contracts/flow-settings.ts';
import type { Expression } from '#contracts/expressions.ts';
import { FlowConditions, FlowDuration, FlowFrequency, NewFlow, type Flow } from '#contracts/flows.ts';
import type { NewBoundTemplate } from '#contracts/bound-templates.ts';
import { CarriedText } from '#contracts/carried-content.ts';
import type { NewCarriedMedia } from '#contracts/carried-media.ts';
import { copiedName } from '#contracts/shorten-text.ts';
import { CarriedValue, carriedBody } from '#web/shared/attach/carried-file.ts';
import { needsValue } from '#web/shared/conditions/condition-words.ts';
import { capsOf, changedCaps, usualCaps, type CapValue } from '#web/shared/caps/cap-value.ts';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import {
  BoundValue,
  boundValueOf,
  contentOf,
  contentRule,
  hasContent,
  isSameBound,
  MessageKind,
} from '#web/shared/whatsapp-template/bound-value.ts';

const DurationUnit = z.enum(['minutes', 'hours', 'days']);
export type DurationUnit = z.infer<typeof DurationUnit>;

/** For a transform: what the contract makes of the value; what it complains of stays at its place. */
function readAs<Output>(schema: z.ZodType<Output>) {
  return (value: unknown, context: z.RefinementCtx): Output => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    for (const { message, path } of read.error.issues) {
      context.addIssue({ code: 'custom', message, path: path.filter((key) => typeof key !== 'symbol') });
    }
    return z.NEVER;
  };
}

const Conditions = z
  .array(z.object({ fieldPath: z.string(), operator: ConditionOperator, value: z.string() }))
  .transform((conditions, context) => readAs(FlowConditions)(conditions.map(withoutIdleValue), context));

/** The unit is chosen apart from the amount; what the contract says of the amount stands at `amount`. */
const Duration = z
  .object({ unit: DurationUnit, amount: z.string(), dateFieldPath: FieldPath })
  .transform(({ unit, amount, dateFieldPath }, context): FlowDuration => {
    const read = FlowDuration.safeParse({ type: `last_${unit}`, [unit]: amount, dateFieldPath });
    if (read.success) return read.data;
    for (const { message } of read.error.issues) context.addIssue({ code: 'custom', path: ['amount'], message });
    return z.NEVER;
  });

const Frequency = z
  .object({ type: z.enum(['lifetime', 'once_per_hours', 'once_per_days']), value: z.string() })
  .transform(readAs(FlowFrequency));

/** A flow as it is typed; read as what the server takes. */
export const FlowFields = z.object({
  name: NewFlow.shape.name,
  conditions: Conditions,
  /** People of its own, in place of conditions, as JSON: their type has no end. */
  expression: z.string().nullable(),
  exclude_segment_ids: z.array(z.number()),
  topic_id: z.number().nullable(),
  caps: z.custom<CapValue>(),
  duration: Duration,
  action: z
    .object({
      projectId: z.int('Choose a project'),
      message: CarriedText,
      media: CarriedValue,
      kind: MessageKind,
      template: BoundValue,
    })
    .superRefine(...contentRule),
  frequency: Frequency,
  active: z.boolean(),
  skip_current: z.boolean(),
});
/** As typed. */
export type FlowFields = Omit<z.input<typeof FlowFields>, 'action'> & {
  action: { projectId?: number; message: string; media: CarriedValue; kind: MessageKind; template: BoundValue };
};
export type FlowValues = z.output<typeof FlowFields>;
export type FlowBody = Omit<
  FlowValues,
  'skip_current' | 'action' | 'conditions' | 'expression' | 'duration' | 'exclude_segment_ids' | 'topic_id' | 'caps'
> & {
  conditions?: FlowValues['conditions'] | undefined;
  duration: FlowValues['duration'] | null;
  expression?: Flow['expression'];
  exclude_segment_ids?: number[];
  topic_id?: number | null;
  when_capped?: CapValue['when_capped'];
  priority?: CapValue['priority'];
  skip_current?: true;
  action: {
    projectId: number;
    message?: string;
    media?: NewCarriedMedia | null;
    template?: NewBoundTemplate | null;
  };
};
export type FlowForm = FormOf<z.input<typeof FlowFields>>;

export const newCondition = { fieldPath: '', operator: 'equals', value: '' } as const;
export const usualCondition = { fieldPath: 'email', operator: 'equals', value: '' } as const;

/** Clears the value of an operator that takes none. */
function withoutIdleValue(condition: Condition): Condition {
  return needsValue(condition.operator) ? condition : { ...condition, value: '' };
}

export function newFlowFields(projectId: number | undefined): FlowFields {
  return {
    name: '',
    conditions: [usualCondition],
    expression: null,
    exclude_segment_ids: [],
    topic_id: null,
    caps: usualCaps,
    duration: { unit: 'hours', amount: '24', dateFieldPath: 'updated_at' },
    action: { ...(projectId !== undefined && { projectId }), message: '', media: null, kind: 'text', template: null },
    frequency: { type: 'lifetime', value: '1' },
    active: true,
    skip_current: false,
  };
}

/** Stands in the form where a flow has an expression. */
export const anything = { fieldPath: 'created_at', operator: 'exists', value: '' } as const;

/** The people of an expression of the flow's own; undefined where its conditions are typed. A duration stays. */
export function ownAudience(text: FlowFields['expression'], flow: Flow | undefined) {
  if (text === null) return undefined;
  const duration = flow && flow.expression !== null ? flow.duration : null;
  return { conditions: undefined, expression: JSON.parse(text) as Expression, duration };
}

/** The stored flow as it is typed; its operators are the contract's, as they were when it was saved. */
export function flowFields(flow: Flow): FlowFields {
  const { name, action, frequency, active } = flow;
  const { conditions } = flow.expression === null ? flow : { conditions: [anything] };
  const duration = flow.duration ?? defaultFlowDuration;
  return {
    name,
    conditions: conditions.map((condition) => ({ ...condition, operator: condition.operator as ConditionOperator })),
    expression: flow.expression && JSON.stringify(flow.expression),
    exclude_segment_ids: flow.exclude_segment_ids,
    topic_id: flow.topic_id,
    caps: capsOf(flow),
    duration: { ...durationParts(duration), dateFieldPath: duration.dateFieldPath },
    action: {
      projectId: action.projectId,
      message: action.message,
      media: action.media,
      kind: action.template ? 'template' : 'text',
      template: boundValueOf(action.template),
    },
    frequency: { type: frequency.type, value: String(frequency.value ?? 1) },
    active,
    skip_current: false,
  };
}

const longestName = 120;

/** A new flow like another one, under a name of its own and switched off. */
export function copyFields(flow: Flow): FlowFields {
  return { ...flowFields(flow), name: copiedName(flow.name, longestName), active: false };
}

function durationParts(duration: FlowDuration): { unit: DurationUnit; amount: string } {
  switch (duration.type) {
    case 'last_minutes':
      return { unit: 'minutes', amount: String(duration.minutes) };
    case 'last_hours':
      return { unit: 'hours', amount: String(duration.hours) };
    case 'last_days':
      return { unit: 'days', amount: String(duration.days) };
  }
}

/** The target of saving: nothing, or the stored flow. */
type Saving = { isSwitchable: boolean; before: Flow | undefined; copyOf?: Flow | undefined };

/** The body to send: `skip_current` only where saving switches the flow on, the file only where it is another one. */
export function bodyOf(
  { skip_current, action, expression, exclude_segment_ids: left, topic_id: topicId, caps, ...rest }: FlowValues,
  { isSwitchable, before, copyOf }: Saving,
): FlowBody {
  return {
    ...rest,
    ...ownAudience(expression, before ?? copyOf),
    ...(left.join() !== (before?.exclude_segment_ids ?? []).join() && { exclude_segment_ids: left }),
    ...changedCaps(caps, before ?? usualCaps),
    ...(topicId !== (before?.topic_id ?? null) && { topic_id: topicId }),
    action: { projectId: action.projectId, ...changedContent(action, before) },
    ...(isSwitchable && rest.active && skip_current && { skip_current }),
  };
}

const audienceFields: readonly (keyof FlowBody)[] = ['conditions', 'expression', 'duration'];
const wholeFields: readonly (keyof FlowBody)[] = ['name', 'frequency', 'active', 'action'];

/** Of the body for a flow that is there, what was changed in the form: somebody else may have changed the rest. */
export function changeOf<Body extends FlowBody>(body: Body, dirtyFields: object): Partial<Body> {
  const isChanged = (name: string) => Object.hasOwn(dirtyFields, name);
  const unchanged = new Set<string>(wholeFields.filter((name) => !isChanged(name)));
  // They hold together: people of the flow's own take the place of conditions.
  if (!audienceFields.some(isChanged)) for (const name of audienceFields) unchanged.add(name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unchanged.has(name))) as Partial<Body>;
}

/** The text, with the file where it is another one; the template where it is another one. */
function changedContent(action: FlowValues['action'], before: Flow | undefined): Omit<FlowBody['action'], 'projectId'> {
  const { message, media, template } = contentOf(action);
  const stored = boundValueOf(before?.action.template);
  if (template !== null) {
    if (isSameBound(action.template, stored)) return {};
    return { template, ...(before && stored === null && { message, media }) };
  }
  return {
    message,
    ...(media?.id !== before?.action.media?.id && { media: carriedBody(media) }),
    ...(stored !== null && { template }),
  };
}

/** The alert for missing parts of a flow; undefined when none is missing. */
export function missingText({ name, action, conditions }: FlowFields): string | undefined {
  const isEmpty = !hasContent(action, action.media !== null);
  if (name.trim() === '' || action.projectId === undefined || isEmpty) {
    return 'Please fill: name, project, message';
  }
  if (conditions.every(({ fieldPath }) => fieldPath.trim() === '')) return 'Please add at least one condition';
  return undefined;
}

const AudienceFields = FlowFields.pick({ conditions: true, duration: true });

/** Whom the typed conditions look for, those without a field left out; undefined while they cannot be read. */
export function typedAudience({ conditions, duration }: Pick<FlowFields, 'conditions' | 'duration'>) {
  const named = conditions.filter(({ fieldPath }) => fieldPath.trim() !== '');
  return AudienceFields.safeParse({ conditions: named, duration }).data;
}
