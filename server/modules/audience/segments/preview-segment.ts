import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointResponse } from '#contracts/endpoint.ts';
import { nodesOf } from '#contracts/expressions.ts';
import type { Expression, Criteria } from '#contracts/expressions.ts';
import type { SegmentCondition } from '#contracts/conditions.ts';
import type { previewSegment as contract, previewSegmentCount as countContract } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import {
  countCriteria,
  listMatching,
  matchingIds,
  momentOf,
  questionOf,
  withinBounds,
} from '#server/modules/audience/conditions/index.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { criteriaOf } from './criteria.ts';
import { presentMember } from './present.ts';
import { requireExpression } from './require-expression.ts';

const sampleSize = 5;

/** How many a condition matches, and the newest of them; a path that no profile has matches as it would once saved. */
export async function previewSegmentCount(
  ctx: AccountContext,
  { condition }: { condition: SegmentCondition },
): Promise<EndpointResponse<typeof countContract>> {
  const count = await countCriteria(ctx, condition);
  const sample = await listMatching(ctx, condition, { limit: sampleSize, offset: 0, count });
  return { count, sample: sample.map(presentMember), served_by: questionOf(condition).cost };
}

type Line = { path: string; criteria: Criteria };

/**
 * Whom an expression matches, and how many each of its parts does by itself: counted in one reading. Throws 422 for a
 * segment or a topic that there is not; a field that no profile has counts as it would once saved.
 */
export async function previewSegment(
  ctx: AccountContext,
  { expression }: { expression: Expression },
): Promise<EndpointResponse<typeof contract>> {
  await requireExpression(ctx, { expression });
  const criteria = await criteriaOf(ctx, expression);
  const { counts, total } = await countLines(ctx, linesOf(expression, criteria));
  const count = counts[0]?.count ?? 0;
  const sample = await listMatching(ctx, criteria, { limit: sampleSize, offset: 0, count });
  return { count, total, sample: sample.map(presentMember), lines: counts, served_by: questionOf(criteria).cost };
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

type LineCount = { path: string; count: number; unreadable: number };

async function countLines(
  ctx: AccountContext,
  lines: readonly Line[],
): Promise<{ counts: LineCount[]; total: number }> {
  const moment = momentOf(ctx);
  const scanned: RawBuilder<unknown>[] = [sql`count(*) as total`];
  /** Counted with others in one reading of all profiles. */
  const inScan = (condition: RawBuilder<unknown>) => {
    const name = sql.ref(`n${scanned.length}`);
    scanned.push(sql`count(*) filter (where ${condition}) as ${name}`);
    return sql`scan.${name}`;
  };
  const columns = lines.flatMap(({ criteria }) => {
    const question = questionOf(criteria);
    const ids = matchingIds(ctx, question);
    const count = ids ? sql`(select count(*) from (${ids}) as found)` : inScan(question.predicate(moment));
    if (!question.mayBeUnreadable) return [count, sql`0::bigint`];
    const isUnread = sql`(${question.predicate(moment)}) is not true and (${question.predicate(moment, false)}) is not true`;
    if (!question.isAnyUnread) return [count, inScan(isUnread)];
    // Nearly always there are none, so that nobody need be asked.
    const unread = sql`(select count(*) from profiles where ${ofAccount(ctx)} and ${isUnread})`;
    return [count, sql`(case when ${question.isAnyUnread(moment)} then ${unread} else 0 end)`];
  });
  const { rows } = await withinBounds(ctx, (tx) =>
    sql<{ counts: number[]; total: number }>`
      select array[${sql.join(columns)}] as counts, scan.total
        from (select ${sql.join(scanned)} from profiles where ${ofAccount(ctx)}) as scan
    `.execute(tx.db),
  );
  const { counts = [], total = 0 } = rows[0] ?? {};
  const numbers = counts.map(Number);
  return {
    total,
    counts: lines.map(({ path }, index) => ({
      path,
      count: numbers[2 * index] ?? 0,
      unreadable: numbers[2 * index + 1] ?? 0,
    })),
  };
}

const ofAccount = (ctx: AccountContext) => sql`profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}`;
