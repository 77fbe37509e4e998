import { nodesOf } from '#contracts/expressions.ts';
import type { Expression } from '#contracts/expressions.ts';
import { operatorsOfType } from '#contracts/field-types.ts';
import type { AccountContext } from '#server/context.ts';
import { findTypes } from '#server/modules/audience/fields/index.ts';
import { requireKnownPaths, unreadableValue } from '#server/modules/audience/conditions/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { findTopicsOf } from '#server/modules/audience/topics/index.ts';
import { criteriaOf, expressionOfSegment, segmentsIn, topicsIn } from './criteria.ts';
import { findSegmentRows } from './queries.ts';

type Asked = {
  expression: Expression;
  /** The field of the request that has it. */
  at?: string;
  /** The segment that it is to be of: it may not name itself, whatever lies between. */
  of?: number;
  /** Fields that may stay though no profile has them any more; undefined: any. */
  known?: ReadonlySet<string> | undefined;
};

/** Throws 422 that names what leads nowhere: a segment that there is not, a circle, a field that no profile has. */
export async function requireExpression(
  ctx: AccountContext,
  { expression, at = 'expression', of, known }: Asked,
): Promise<void> {
  const nodes = nodesOf(expression).map(({ path, node }) => ({ node, at: path === '' ? at : `${at}.${path}` }));
  const segments = nodes.flatMap((each) => ('segment' in each.node ? [{ id: each.node.segment, at: each.at }] : []));
  const circling = of === undefined ? new Set<number>() : await findAbove(ctx, of);
  const rows = segments.length === 0 ? [] : await findSegmentRows(ctx, [...new Set(segments.map(({ id }) => id))]);
  const found = new Set(rows.map(({ id }) => id));
  const faults = segments.flatMap(({ id, at: place }) => {
    const path = `${place}.segment`;
    if (!found.has(id)) return [{ path, message: `There is no segment ${id}: choose another one` }];
    return circling.has(id) ? [{ path, message: 'This segment would be made of itself' }] : [];
  });
  const topics = await findTopicsOf(ctx, topicsIn(expression));
  faults.push(
    ...nodes.flatMap((each) =>
      'topic' in each.node && !topics.has(each.node.topic)
        ? [{ path: `${each.at}.topic`, message: `There is no topic ${each.node.topic}: choose another one` }]
        : [],
    ),
  );
  if (faults.length > 0) throw new InvalidInputError(faults);
  if (JSON.stringify(await criteriaOf(ctx, expression)).length > mostText) {
    throw new InvalidInputError([{ path: at, message: 'Together with its segments this is too much' }]);
  }
  if (known === undefined) return;
  const named = nodes.flatMap((each) =>
    'field' in each.node && !known.has(each.node.field) ? [{ fieldPath: each.node.field, at: `${each.at}.field` }] : [],
  );
  await requireKnownPaths(ctx, named);
  await requireTypes(ctx, nodes, known);
}

type NamedNode = { node: Expression; at: string };

/** Throws 422 that names every operator and value that is not of its field's type. */
async function requireTypes(ctx: AccountContext, nodes: readonly NamedNode[], known: ReadonlySet<string>) {
  const leaves = nodes.flatMap(({ node, at }) =>
    'field' in node && !known.has(node.field) ? [{ leaf: node, at }] : [],
  );
  const types = await findTypes(
    ctx,
    leaves.map(({ leaf }) => leaf.field),
  );
  const faults = leaves.flatMap(({ leaf, at }) => {
    const type = types.get(leaf.field)?.type;
    if (!type) return [];
    const operators: readonly string[] = operatorsOfType[type];
    if (!operators.includes(leaf.op)) {
      return [{ path: `${at}.op`, message: `${leaf.field} is a ${type}: use ${operators.join(', ')}` }];
    }
    const place = unreadableValue(leaf, type);
    return place ? [{ path: [at, ...place].join('.'), message: `Enter a ${type}` }] : [];
  });
  if (faults.length > 0) throw new InvalidInputError(faults);
}

const mostText = 1_000_000;

/** The segment itself, and those that are made of it. */
async function findAbove(ctx: AccountContext, id: number): Promise<Set<number>> {
  const above = new Set([id]);
  const rows = (await findSegmentRows(ctx)).filter(({ expression }) => expression !== null);
  for (let size = 0; size !== above.size;) {
    size = above.size;
    for (const row of rows) {
      if (segmentsIn(expressionOfSegment(row)).some((each) => above.has(each))) above.add(row.id);
    }
  }
  return above;
}
