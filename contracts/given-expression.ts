import { z } from 'zod';
import { leafFault } from './expression-rules.ts';
import {
  BucketLeaf,
  EventLeaf,
  Expression,
  FieldLeaf,
  maxExpressionDepth,
  maxExpressionLeaves,
  MessageLeaf,
  PropertyLeaf,
  SegmentLeaf,
  TopicLeaf,
} from './expressions.ts';

const leaves = {
  field: FieldLeaf,
  segment: SegmentLeaf,
  message: MessageLeaf,
  event: EventLeaf,
  bucket: BucketLeaf,
  topic: TopicLeaf,
} as const;
const nodeKeys = ['all', 'any', 'not', 'field', 'segment', 'message', 'event', 'bucket', 'topic'] as const;

type Reading = { context: z.RefinementCtx; leaves: number; isOfEvent?: boolean };

const enterAny = 'all, any, not, field, segment, message, event, bucket or topic';

/** Says what is wrong at its own place; a union alone would only say that none of its kinds fits. */
function judge(value: unknown, path: readonly (string | number)[], depth: number, reading: Reading): void {
  const { context } = reading;
  const refuse = (message: string, at: readonly (string | number)[] = []) =>
    context.addIssue({ code: 'custom', message, path: [...path, ...at] });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('Enter an expression');
  const node = value as Record<string, unknown>;
  const [kind, ...others] = nodeKeys.filter((key) => key in node && !(key === 'not' && 'message' in node));
  if (kind === undefined) return refuse(`Enter ${reading.isOfEvent ? 'all, any, not or field' : enterAny}`);
  if (others.length > 0) return refuse(`Use either ${kind} or ${others.join(' or ')}`);
  if (kind === 'all' || kind === 'any' || kind === 'not') {
    if (depth >= maxExpressionDepth) return refuse(`Nest at most ${maxExpressionDepth} groups`);
    if (kind === 'not') return judge(node['not'], [...path, 'not'], depth + 1, reading);
    const children = node[kind];
    if (!Array.isArray(children)) return refuse('Enter a list of expressions', [kind]);
    if (children.length === 0) return refuse('Add at least one condition', [kind]);
    for (const [index, child] of children.entries()) judge(child, [...path, kind, index], depth + 1, reading);
    return undefined;
  }
  reading.leaves += 1;
  if (reading.leaves === maxExpressionLeaves + 1) return refuse(`Use at most ${maxExpressionLeaves} conditions`);
  if (reading.leaves > maxExpressionLeaves) return undefined;
  if (reading.isOfEvent && kind !== 'field') return refuse('Enter all, any, not or field');
  const where = kind === 'event' && Array.isArray(node['where']) ? (node['where'] as unknown[]) : [];
  const before = context.issues.length;
  const inEvent = { context, leaves: reading.leaves, isOfEvent: true };
  for (const [index, each] of where.entries()) judge(each, [...path, 'where', index], depth + 1, inEvent);
  reading.leaves = inEvent.leaves;
  // Each of its parts has been told what is wrong with it.
  if (context.issues.length > before) return undefined;
  const read = (reading.isOfEvent ? PropertyLeaf : leaves[kind]).safeParse(node);
  if (!read.success) {
    for (const issue of read.error.issues) refuse(issue.message, issue.path as (string | number)[]);
    return undefined;
  }
  const fault = leafFault(read.data);
  return fault && refuse(fault.message, fault.path);
}

/** An expression as a caller gives it: at most 5 groups deep, at most 50 leaves. */
export const GivenExpression = z.preprocess((value, context) => {
  const before = context.issues.length;
  judge(value, [], 0, { context, leaves: 0 });
  return context.issues.length > before ? z.NEVER : value;
}, Expression);
