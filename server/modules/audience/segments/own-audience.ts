import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Expression } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import type { NamedAudience } from './tables.ts';
import { noCondition, segmentsIn } from './criteria.ts';
import { holdSegments } from './queries.ts';
import { requireExpression } from './require-expression.ts';

/** The expression without the members of the segments, and without people whose membership cannot be read. */
export function withoutSegments(expression: Expression, segmentIds: readonly number[]): Expression {
  if (segmentIds.length === 0) return expression;
  return { all: [expression, ...segmentIds.map((segment) => ({ not: { segment } }))] };
}

export function expressionOfAudience({ segment_id: id, expression, exclude_segment_ids: left }: NamedAudience) {
  return withoutSegments(expression ?? { segment: id ?? 0 }, left);
}

/** Whether a column of `NamedAudience` names the segment. */
export function namesSegment(column: RawBuilder<unknown>, segmentId: number | RawBuilder<number>): RawBuilder<boolean> {
  return sql`(jsonb_path_exists(${column}, '$.** ? (@.segment == $id || @.segment_id == $id)',
                                jsonb_build_object('id', ${segmentId}::bigint), true)
              or ${column} -> 'exclude_segment_ids' @> to_jsonb(${segmentId}::bigint))`;
}

type Asked = { audience: NamedAudience; isAnyAllowed: boolean; kept?: ReadonlySet<string> };

/**
 * Throws 422 for what leads nowhere; else the segments that it names are not deleted before the transaction ends.
 * `kept` are fields that may stay though no profile has them any more.
 */
export async function requireAudience(
  tx: Tx<AccountContext>,
  { audience, isAnyAllowed, kept = new Set() }: Asked,
): Promise<void> {
  const { expression, exclude_segment_ids: left } = audience;
  if (expression) await requireExpression(tx, { expression, known: isAnyAllowed ? undefined : kept });
  await holdSegments(tx, expression ? segmentsIn(expression) : []);
  await holdSegments(tx, left, 'exclude_segment_ids');
}

/** A row that stands for the audience of one campaign; it answers the row's id. */
export async function createOwnSegment(
  tx: Tx<AccountContext>,
  { name, expression }: { name: string; expression: Expression },
): Promise<number> {
  const now = tx.clock.now();
  const { id } = await tx.db
    .insertInto('segments')
    .values({
      account_id: tx.account.id,
      name,
      field_path: noCondition.fieldPath,
      operator: noCondition.operator,
      value: noCondition.value,
      expression: JSON.stringify(expression),
      is_own: true,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Does nothing to a segment that is none of a campaign's own. */
export async function deleteOwnSegment(tx: Tx, ref: { accountId: number; segmentId: number }): Promise<void> {
  await tx.db
    .deleteFrom('segments')
    .where('account_id', '=', ref.accountId)
    .where('id', '=', ref.segmentId)
    .where('is_own', '=', true)
    .execute();
}
