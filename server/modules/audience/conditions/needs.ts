import type { Criteria } from '#contracts/expressions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { isMessageEvent } from './kinds/happenings.ts';

/** The parts of people, beside their rows, that are to be read to answer expressions. */
export type Needs = {
  /** Names of events; undefined: all of them. */
  events: Set<string> | undefined;
  steps: boolean;
  engagement: boolean;
  topics: boolean;
  facts: boolean;
};

export const allNeeds: Needs = { events: undefined, steps: true, engagement: true, topics: true, facts: true };

export function needsOf(all: readonly Criteria[]): Needs {
  const needs: Needs = { events: new Set(), steps: false, engagement: false, topics: false, facts: false };
  for (const criteria of all) gather(criteria, needs);
  return needs;
}

function gather(criteria: Criteria, needs: Needs): void {
  const isFact = (path: string) => parseFieldPath(path)?.kind === 'fact';
  if ('all' in criteria) for (const each of criteria.all) gather(each, needs);
  else if ('any' in criteria) for (const each of criteria.any) gather(each, needs);
  else if ('fieldPath' in criteria) needs.facts ||= isFact(criteria.fieldPath);
  else if ('message' in criteria) needs.engagement = true;
  else if ('not' in criteria) gather(criteria.not, needs);
  else if ('event' in criteria) {
    if (isMessageEvent(criteria.event)) needs.steps = true;
    else needs.events?.add(criteria.event);
  } else if ('topic' in criteria) needs.topics = true;
  else if ('segment' in criteria) {
    if (criteria.is) gather(criteria.is, needs);
  } else if ('field' in criteria) needs.facts ||= isFact(criteria.field);
}
