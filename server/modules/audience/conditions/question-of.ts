import type { Criteria, FieldLeaf, FoundSegment, PropertyExpression, TypedFieldLeaf } from '#contracts/expressions.ts';
import { indexedAs } from '#contracts/field-types.ts';
import { propertyAsField } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { anniversaryLeaf } from './kinds/anniversary-leaf.ts';
import { bucketLeaf } from './kinds/bucket-leaf.ts';
import { eventLeaf } from './kinds/event-leaf.ts';
import { flatCondition } from './kinds/flat-condition.ts';
import { allOf, anyOf, notOf } from './kinds/groups.ts';
import { compareLeaf, spanLeaf } from './kinds/interval-leaf.ts';
import { messageLeaf } from './kinds/message-leaf.ts';
import { segmentLeaf } from './kinds/segment-leaf.ts';
import { inLeaf, textLeaf } from './kinds/text-leaf.ts';
import { topicLeaf } from './kinds/topic-leaf.ts';
import { fromIndex } from './kinds/typed-index.ts';
import { sinceTyped, typedLeaf } from './kinds/typed-leaf.ts';
import type { Moment, Question } from './question.ts';

/** The one place that knows the kinds. */
export function questionOf(criteria: Criteria): Question {
  if ('fieldPath' in criteria) return flatCondition(criteria);
  if ('all' in criteria) return allOf(criteria.all.map(questionOf));
  if ('any' in criteria) return anyOf(criteria.any.map(questionOf));
  if ('message' in criteria) return messageLeaf(criteria);
  if ('not' in criteria) return notOf(questionOf(criteria.not));
  if ('event' in criteria) return eventLeaf(criteria, criteria.where && allOf(criteria.where.map(propertyQuestion)));
  if ('bucket' in criteria) return bucketLeaf(criteria);
  if ('topic' in criteria) return topicLeaf(criteria);
  if ('segment' in criteria) return segmentLeaf(foundIn(criteria));
  return typedQuestion(criteria);
}

/** The properties of an event are asked for as the custom fields of a profile are. */
function propertyQuestion(expression: PropertyExpression): Question {
  if ('all' in expression) return allOf(expression.all.map(propertyQuestion));
  if ('any' in expression) return anyOf(expression.any.map(propertyQuestion));
  if ('not' in expression) return notOf(propertyQuestion(expression.not));
  return fieldQuestion({ ...expression, field: propertyAsField(expression.field) ?? '' });
}

/** An operator that the type of the field has no rule for is asked as of a field without one. */
function typedQuestion(leaf: TypedFieldLeaf): Question {
  const { typed } = leaf;
  if (!typed) return fieldQuestion(leaf);
  const { type, [indexedAs]: id } = typed;
  const question = (type === null ? undefined : typedLeaf(leaf, type)) ?? fieldQuestion(leaf);
  return sinceTyped(type === null || id === undefined ? question : fromIndex(question, { leaf, type, id }), typed);
}

function foundIn({ is, changed_at: changedAt }: FoundSegment) {
  return is && { question: questionOf(is), changedAt: new Date(changedAt ?? 0) };
}

function fieldQuestion(leaf: FieldLeaf): Question {
  switch (leaf.op) {
    case 'equals':
    case 'contains':
    case 'starts':
    case 'includes':
      return textLeaf(leaf);
    case 'in':
      return inLeaf(leaf);
    case 'exists':
      return flatCondition({ fieldPath: leaf.field, operator: 'exists', value: '' });
    case 'gt':
    case 'lt':
    case 'between':
      return compareLeaf(leaf);
    case 'within_last':
    case 'more_than_ago':
    case 'within_next':
      return spanLeaf(leaf);
    case 'anniversary_in':
      return anniversaryLeaf(leaf);
  }
}

export function momentOf(ctx: AccountContext): Moment {
  return { accountId: ctx.account.id, now: ctx.clock.now(), timezone: ctx.account.timezone };
}
