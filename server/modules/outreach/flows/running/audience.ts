import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { everybody } from '#contracts/expressions.ts';
import type { Criteria, Expression } from '#contracts/expressions.ts';
import { defaultFlowDuration } from '#contracts/flow-settings.ts';
import type { FlowConditions, FlowDuration } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { askedOf, momentOf, questionOf, readAllOrSome } from '#server/modules/audience/conditions/index.ts';
import { inReachOf } from '#server/modules/audience/profiles/index.ts';
import { criteriaOf, noCondition, withoutSegments } from '#server/modules/audience/segments/index.ts';
import { skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import { narrowedTo } from '#server/scope.ts';
import type { FlowRow, Audience } from '../tables.ts';
import { durationConditions } from './duration-conditions.ts';

export type AudienceCount = { matched: number; skipped: number; isEstimate: boolean };

type Given = {
  conditions?: FlowConditions | undefined;
  expression?: Expression | null | undefined;
  exclude_segment_ids?: readonly number[] | undefined;
  duration?: FlowDuration | null | undefined;
};

/** With what is not named as it was before, or as it is by default. */
export function givenAudience(given: Given, before?: Audience): Audience {
  const isExpression = given.expression ? true : given.conditions === undefined && Boolean(before?.expression);
  const wasExpression = Boolean(before?.expression);
  const kept = before && wasExpression === isExpression ? before.duration : undefined;
  const { duration = kept ?? (isExpression ? null : defaultFlowDuration) } = given;
  return {
    conditions: isExpression ? [] : (given.conditions ?? before?.conditions ?? []),
    expression: isExpression ? (given.expression ?? before?.expression ?? null) : null,
    exclude_segment_ids: given.exclude_segment_ids ?? before?.exclude_segment_ids ?? [],
    duration: isExpression ? duration : (duration ?? defaultFlowDuration),
  };
}

const noConditions = [noCondition];

/** The columns of a flow that say whom it is for; conditions alone stand where the release before has them. */
export function columnsOf(audience: Audience) {
  const isPlain = audience.expression === null && audience.exclude_segment_ids.length === 0;
  return {
    conditions: JSON.stringify(isPlain ? audience.conditions : noConditions),
    duration: JSON.stringify(audience.duration ?? defaultFlowDuration),
    audience: isPlain ? null : JSON.stringify(audience),
  };
}

export function audienceOf(flow: Pick<FlowRow, 'conditions' | 'duration' | 'audience'>): Audience {
  const isElsewhere = flow.audience !== null && isDeepStrictEqual([...flow.conditions], noConditions);
  if (isElsewhere && flow.audience) return flow.audience;
  return { conditions: flow.conditions, expression: null, exclude_segment_ids: [], duration: flow.duration };
}

export async function criteriaOfAudience(ctx: AccountContext, audience: Audience): Promise<Criteria> {
  const { conditions, expression, duration, exclude_segment_ids: left } = audience;
  const within = duration ? durationConditions(duration) : [];
  const named =
    expression === null && left.length === 0
      ? undefined
      : await criteriaOf(ctx, withoutSegments(expression ?? everybody, left));
  return { all: [...conditions, ...within, ...(named ? [named] : [])] };
}

/** True for a profile that fulfils all conditions; over the table `profiles`. */
export async function audiencePredicate(
  ctx: AccountContext,
  audience: Audience,
  moment = momentOf(ctx),
): Promise<RawBuilder<boolean>> {
  return questionOf(await criteriaOfAudience(ctx, audience)).predicate(moment);
}

/**
 * How many match now of those who talk in these projects, and how many of them get nothing; or about so many, where
 * counting takes too long.
 */
export async function countAudience(
  ctx: AccountContext,
  audience: Audience,
  projectIds = narrowedTo(ctx),
): Promise<AudienceCount> {
  const criteria = await criteriaOfAudience(ctx, audience);
  return readAllOrSome(ctx, askedOf(ctx, criteria), async (tx, { predicate, isEstimate, scaled }) => {
    const { rows } = await sql<{ matched: number; skipped: number }>`
      select count(*) as matched, count(*) filter (where ${skipReasonSql(null)} is not null) as skipped
        from profiles
       where profiles.account_id = ${ctx.account.id} and ${inReachOf(ctx.account.id, projectIds)} and ${predicate}
    `.execute(tx.db);
    const { matched = 0, skipped = 0 } = rows[0] ?? {};
    return { matched: scaled(matched), skipped: scaled(skipped), isEstimate };
  });
}
