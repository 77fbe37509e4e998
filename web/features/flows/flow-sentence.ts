import { conditionParts } from '#web/shared/conditions/condition-words.ts';
import type { DurationUnit, FlowFields } from './builder/flow-form.ts';

type Rules = Pick<FlowFields, 'conditions' | 'duration'>;
/** The name that people gave to a field; undefined where they gave none. */
type NameOf = (path: string) => string | undefined;

const noName: NameOf = () => undefined;

/** `the last 24 hours`, `the last day`; `…` for what is not typed yet. */
export function durationText({ amount, unit }: { amount: string; unit: DurationUnit }): string {
  const typed = amount.trim();
  return Number(typed) === 1 ? `the last ${unit.slice(0, -1)}` : `the last ${typed === '' ? '…' : typed} ${unit}`;
}

/** `once in a lifetime`, `once per 12 hours`, `once per day`. */
export function frequencyText({ type, value }: FlowFields['frequency']): string {
  if (type === 'lifetime') return 'once in a lifetime';
  const unit = type === 'once_per_hours' ? 'hour' : 'day';
  const typed = value.trim();
  return Number(typed) === 1 ? `once per ${unit}` : `once per ${typed === '' ? '…' : typed} ${unit}s`;
}

/** `email exists and custom_fields.plan equals trial, and updated_at is within the last 24 hours` */
export function rulesText({ conditions, duration }: Rules, nameOf = noName): string {
  const named = conditions.map((condition) => {
    const { path, words, value } = conditionParts(condition);
    return [fieldText(path, nameOf), words, value].filter((part) => part !== undefined).join(' ');
  });
  return `${named.join(' and ')}, and ${fieldText(duration.dateFieldPath, nameOf)} is within ${durationText(duration)}`;
}

const fieldText = (path: string, nameOf: NameOf) => (path.trim() === '' ? '…' : (nameOf(path) ?? path));

/** A flow in words: `When email exists, and updated_at is within the last 24 hours, send the message at most once …` */
export function flowSentence(flow: Rules & Pick<FlowFields, 'frequency'>, nameOf = noName): string {
  // A value that is not typed yet is no empty text.
  const conditions = flow.conditions.map((each) => (each.value === '' ? { ...each, value: '…' } : each));
  return `When ${rulesText({ ...flow, conditions }, nameOf)}, send the message at most ${frequencyText(flow.frequency)} to each profile.`;
}
