import type { EndpointResponse } from '#contracts/endpoint.ts';
import { nodesOf } from '#contracts/expressions.ts';
import type { Expression, Criteria } from '#contracts/expressions.ts';
import type { SegmentCondition } from '#contracts/conditions.ts';
import type { previewSegment as contract, previewSegmentCount as countContract } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { countOrEstimate, listCounted, listMatching, questionOf } from '#server/modules/audience/conditions/index.ts';
import { countProfiles } from '#server/modules/audience/profiles/index.ts';
import { countLines } from './count-lines.ts';
import type { Line } from './count-lines.ts';
import { criteriaOf } from './criteria.ts';
import { presentMember } from './present.ts';
import { requireExpression } from './require-expression.ts';

const sampleSize = 5;

/** How many a condition matches, and the newest of them; a path that no profile has matches as it would once saved. */
export async function previewSegmentCount(
  ctx: AccountContext,
  { condition }: { condition: SegmentCondition },
): Promise<EndpointResponse<typeof countContract>> {
  const counted = await countOrEstimate(ctx, condition);
  const sample = await listCounted(ctx, condition, { limit: sampleSize, offset: 0, ...counted });
  return { ...counted, sample: sample.map(presentMember), served_by: questionOf(condition).cost };
}

/**
 * Whom an expression matches, and how many each of its parts does by itself. Throws 422 for a segment or a topic that
 * there is not; a field that no profile has counts as it would once saved.
 */
export async function previewSegment(
  ctx: AccountContext,
  { expression }: { expression: Expression },
): Promise<EndpointResponse<typeof contract>> {
  await requireExpression(ctx, { expression });
  const criteria = await criteriaOf(ctx, expression);
  const { lines, newest } = await countLines(ctx, linesOf(expression, criteria), { limit: sampleSize });
  const { count = 0, is_estimate = false } = lines[0] ?? {};
  const sample = newest ?? (await listMatching(ctx, criteria, { limit: sampleSize, offset: 0, count }));
  return {
    count,
    is_estimate,
    total: await countProfiles(ctx),
    sample: sample.map(presentMember),
    lines,
    served_by: questionOf(criteria).cost,
  };
}

/** The expression itself first. */
function linesOf(expression: Expression, criteria: Criteria): Line[] {
  return nodesOf(expression).map(({ path }) => ({
    path: path === '' ? 'expression' : `expression.${path}`,
    criteria: path === '' ? criteria : partAt(criteria, path.split('.')),
  }));
}

const partAt = (criteria: Criteria, steps: readonly string[]): Criteria =>
  steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], criteria) as Criteria;
