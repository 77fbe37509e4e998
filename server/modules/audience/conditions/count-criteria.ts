import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Condition } from '#contracts/conditions.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { TooCostlyError } from '#server/admission.ts';
import type { AccountContext } from '#server/context.ts';
import { inReach, profileCount } from '#server/modules/audience/profiles/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { estimateCounts } from './estimate-counts.ts';
import { matchingIds, mergeLargeSets } from './matching-ids.ts';
import { withinBounds } from './within-bounds.ts';
import { momentOf, questionOf } from './question-of.ts';
import type { Criteria } from '#contracts/expressions.ts';

/**
 * How many profiles match. An index counts what equals, and the catalogue of fields what exists; their complements are
 * the rest of all profiles, so that a flat condition's four operators never read the account's profiles one by one.
 */
export async function countCriteria(ctx: AccountContext, criteria: Criteria, timeoutMs?: number): Promise<number> {
  const isCheap =
    narrowedTo(ctx) === null && 'fieldPath' in criteria && parseFieldPath(criteria.fieldPath)?.kind !== 'fact';
  const count = isCheap ? cheapCount(ctx, criteria) : undefined;
  if (count) return runCount(ctx, count);
  return withinBounds(
    ctx,
    async (tx) => {
      const { sql: counting, isByIds } = countOf(ctx, criteria);
      if (isByIds) await mergeLargeSets(tx);
      return runCount(tx, counting);
    },
    timeoutMs,
  );
}

const patienceMs = 4_000;

/** The same, or about how many where counting takes too long. Throws 503 `too_costly` where that does, too. */
export async function countOrEstimate(
  ctx: AccountContext,
  criteria: Criteria,
  timeoutMs = patienceMs,
): Promise<{ count: number; is_estimate: boolean }> {
  try {
    return { count: await countCriteria(ctx, criteria, timeoutMs), is_estimate: false };
  } catch (error) {
    if (!(error instanceof TooCostlyError)) throw error;
    const { estimates } = await estimateCounts(ctx, [criteria], { limit: 0 });
    return { count: estimates[0]?.count ?? 0, is_estimate: true };
  }
}

async function runCount(ctx: AccountContext, count: RawBuilder<number>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${count} as count`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

/** Undefined for an operator that no index serves. */
function cheapCount(ctx: AccountContext, condition: Condition): RawBuilder<number> | undefined {
  const all = profileCount(ctx.account.id);
  switch (condition.operator) {
    case 'not_equals': {
      const equal = cheapCount(ctx, { ...condition, operator: 'equals' });
      return equal && sql`${all} - ${equal}`;
    }
    case 'exists':
      return existing(ctx, condition.fieldPath);
    case 'not_exists':
      return sql`${all} - ${existing(ctx, condition.fieldPath)}`;
    default:
      return questionOf(condition).cost === 'index' ? countOf(ctx, condition).sql : undefined;
  }
}

function countOf(ctx: AccountContext, criteria: Criteria): { sql: RawBuilder<number>; isByIds: boolean } {
  const question = questionOf(criteria);
  const ids = matchingIds(ctx, question);
  if (ids) return { sql: sql`(select count(*) from (${ids}) as matching)`, isByIds: true };
  const predicate = question.predicate(momentOf(ctx));
  const members = sql`profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} and ${predicate}`;
  return { sql: sql`(select count(*) from profiles where ${members})`, isByIds: false };
}

/** The columns that can be empty are in the catalogue as custom fields are; the others every profile has. */
function existing(ctx: AccountContext, fieldPath: string): RawBuilder<number> {
  const field = parseFieldPath(fieldPath);
  const isAlwaysThere = field?.kind === 'column' && !['country_code', 'name', 'email', 'tags'].includes(field.column);
  if (isAlwaysThere) return profileCount(ctx.account.id);
  return sql`coalesce((select sum(profiles)::bigint from profile_field_totals
                        where account_id = ${ctx.account.id} and path = ${fieldPath}
                          and type not in ('null', 'empty')), 0)`;
}
