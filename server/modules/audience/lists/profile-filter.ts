import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { everybody } from '#contracts/expressions.ts';
import type { Criteria } from '#contracts/expressions.ts';
import type { ProfileFilter as Filter } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { momentOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import { isProfileOffWhatsApp } from '#server/modules/numbers/health/index.ts';
import { inReach, optOutPredicate, searchPredicate } from '#server/modules/audience/profiles/index.ts';
import {
  criteriaOf,
  criteriaOfSegment,
  findSharedSegment,
  requireExpression,
  requireSegments,
  withoutSegments,
} from '#server/modules/audience/segments/index.ts';
import { narrowedTo } from '#server/scope.ts';

/**
 * SQL over `profiles`, which the statement narrows to the account itself; `isAll`: it narrows nothing. The same in two
 * parts: `criteria`, and `rest` in SQL.
 */
export type CompiledFilter = {
  predicate: RawBuilder<boolean>;
  isAll: boolean;
  criteria: Criteria;
  rest: RawBuilder<boolean>;
};

/** Throws 422 that names what leads nowhere, `at` the field of the request that holds the filter. */
export async function requireFilter(ctx: AccountContext, filter: Filter, at = ''): Promise<void> {
  const { segment_id: segmentId, expression, exclude_segment_ids: left = [] } = filter;
  await requireSegments(ctx, [
    ...(segmentId === undefined ? [] : [{ id: segmentId, path: `${at}segment_id` }]),
    ...left.map((id, index) => ({ id, path: `${at}exclude_segment_ids.${index}` })),
  ]);
  if (expression) await requireExpression(ctx, { expression, at: `${at}expression` });
}

/** A segment that has gone since the filter was given finds nobody. */
export async function compileFilter(ctx: AccountContext, filter: Filter): Promise<CompiledFilter> {
  const {
    search = '',
    opted_out: optedOut,
    status,
    tags = [],
    segment_id: segmentId,
    expression,
    exclude_segment_ids: left = [],
    valid,
    on_whatsapp: onWhatsApp,
  } = filter;
  const parts: RawBuilder<unknown>[] = narrowedTo(ctx) === null ? [] : [inReach(ctx)];
  if (search !== '') parts.push(searchPredicate(search));
  if (optedOut !== undefined) parts.push(optOutPredicate(ctx, optedOut));
  if (status !== undefined) parts.push(sql`profiles.status = ${status}`);
  if (tags.length > 0) parts.push(sql`profiles.tags @> ${tags}::text[]`);
  if (valid !== undefined)
    parts.push(valid === 'true' ? sql`profiles.phone_is_valid` : sql`not profiles.phone_is_valid`);
  if (onWhatsApp !== undefined)
    parts.push(onWhatsApp === 'true' ? sql`not ${isProfileOffWhatsApp}` : isProfileOffWhatsApp);
  const asked: Criteria[] = [];
  if (segmentId !== undefined) {
    const segment = await findSharedSegment(ctx, segmentId);
    if (segment) asked.push(await criteriaOfSegment(ctx, segment));
    else parts.push(sql`false`);
  }
  if (expression) asked.push(await criteriaOf(ctx, withoutSegments(expression, left)));
  else for (const segment of left) asked.push(await criteriaOf(ctx, { not: { segment } }));
  const both = [...parts, ...asked.map((criteria) => questionOf(criteria).predicate(momentOf(ctx)))];
  return {
    predicate: allOf(both),
    isAll: both.length === 0,
    criteria: asked.length === 0 ? everybody : { all: asked },
    rest: allOf(parts),
  };
}

const allOf = (parts: readonly RawBuilder<unknown>[]) =>
  parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
