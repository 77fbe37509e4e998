import type { SegmentCondition } from '#contracts/conditions.ts';
import { expressionOf, maxExpressionLeaves, nodesOf } from '#contracts/expressions.ts';
import type { Expression, Criteria } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';
import type { TypeOfField } from '#contracts/field-types.ts';
import { findTopicsOf } from '#server/modules/audience/topics/index.ts';
import { findTypes } from '#server/modules/audience/fields/index.ts';
import type { SegmentRow } from './tables.ts';
import { findSegmentRows } from './queries.ts';

/** Stands where an expression does: no profile matches it, so that the release before sends such a segment nothing. */
export const noCondition: SegmentCondition = { fieldPath: 'status', operator: 'equals', value: '' };

const isNoCondition = ({ field_path, operator, value }: SegmentRow) =>
  field_path === noCondition.fieldPath && operator === noCondition.operator && value === noCondition.value;

/** The expression that a segment was made with; null where it was made with a condition. */
export function ownExpression(row: SegmentRow): Expression | null {
  return isNoCondition(row) ? row.expression : null;
}

/** The condition that a segment was made with; null where it was made with an expression. */
export function conditionOf(row: SegmentRow): SegmentCondition | null {
  if (ownExpression(row) !== null) return null;
  return { fieldPath: row.field_path, operator: row.operator, value: row.value };
}

export function expressionOfSegment(row: SegmentRow): Expression {
  const condition = conditionOf(row);
  return condition ? expressionOf(condition) : (ownExpression(row) as Expression);
}

/** Together with the leaves of the segments that they name. */
const mostLeaves = 10 * maxExpressionLeaves;

type Lookup = {
  rows: ReadonlyMap<number, SegmentRow>;
  types: ReadonlyMap<string, TypeOfField>;
  topics: Awaited<ReturnType<typeof findTopicsOf>>;
  leaves: number;
};

/** Ids of the segments that an expression names. */
export const segmentsIn = (expression: Expression): number[] =>
  nodesOf(expression).flatMap(({ node }) => ('segment' in node ? [node.segment] : []));

/** The fields that an expression names. */
export const fieldsIn = (expression: Expression): string[] =>
  nodesOf(expression).flatMap(({ node }) => ('field' in node ? [node.field] : []));

/** Ids of the topics that an expression names. */
export const topicsIn = (expression: Expression): number[] =>
  nodesOf(expression).flatMap(({ node }) => ('topic' in node ? [node.topic] : []));

/** An expression with the segments that it names, and those that they name. A circle and too many leaves end in none. */
export async function criteriaOf(ctx: AccountContext, expression: Expression): Promise<Criteria> {
  return withSegments(expression, await lookUp(ctx, expression), []);
}

export async function criteriaOfSegment(ctx: AccountContext, row: SegmentRow): Promise<Criteria> {
  const own = ownExpression(row);
  if (own === null) return conditionOf(row) ?? noCondition;
  return withSegments(own, await lookUp(ctx, own), [row.id]);
}

/** Whether criteria name a segment that there is none of, so that nobody is known to match or not to. */
export function namesDeleted(criteria: Criteria): boolean {
  if ('all' in criteria) return criteria.all.some(namesDeleted);
  if ('any' in criteria) return criteria.any.some(namesDeleted);
  if ('not' in criteria && !('message' in criteria)) return namesDeleted(criteria.not);
  return 'segment' in criteria && (criteria.is === undefined || namesDeleted(criteria.is));
}

/** The segments that an expression names, however far down, the types of all their fields, and their topics. */
async function lookUp(ctx: AccountContext, expression: Expression): Promise<Lookup> {
  const rows = await findNamed(ctx, segmentsIn(expression));
  const named = [...rows.values()].flatMap((row) => ownExpression(row) ?? []);
  const all = [expression, ...named];
  const types = await findTypes(ctx, all.flatMap(fieldsIn));
  return { rows, types, topics: await findTopicsOf(ctx, all.flatMap(topicsIn)), leaves: 0 };
}

/** Level by level, as deep as a circle can be that has no segment twice. */
async function findNamed(ctx: AccountContext, ids: readonly number[]): Promise<Map<number, SegmentRow>> {
  const rows = new Map<number, SegmentRow>();
  let asked = [...new Set(ids)];
  while (asked.length > 0 && rows.size < mostLeaves) {
    const found = await findSegmentRows(ctx, asked);
    for (const row of found) rows.set(row.id, row);
    const named = found.flatMap((row) => segmentsIn(expressionOfSegment(row)));
    asked = [...new Set(named)].filter((id) => !rows.has(id) && !asked.includes(id));
  }
  return rows;
}

function withSegments(expression: Expression, lookup: Lookup, outer: readonly number[]): Criteria {
  if ('all' in expression) return { all: expression.all.map((each) => withSegments(each, lookup, outer)) };
  if ('any' in expression) return { any: expression.any.map((each) => withSegments(each, lookup, outer)) };
  if ('not' in expression && !('message' in expression)) return { not: withSegments(expression.not, lookup, outer) };
  lookup.leaves += 1;
  if ('field' in expression) return { ...expression, typed: lookup.types.get(expression.field) };
  if ('topic' in expression) return { ...expression, is: lookup.topics.get(expression.topic) };
  if (!('segment' in expression)) return expression;
  const id = expression.segment;
  const row = lookup.rows.get(id);
  if (!row || outer.includes(id) || lookup.leaves > mostLeaves) return { segment: id };
  const own = ownExpression(row);
  const is = own === null ? (conditionOf(row) ?? noCondition) : withSegments(own, lookup, [...outer, id]);
  return { segment: id, is, changed_at: row.updated_at.toISOString() };
}
