import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FlowConditions, FlowDuration } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { compileCondition, withinBounds } from '#server/modules/audience/conditions/index.ts';
import { skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import { durationConditions } from './duration-conditions.ts';

/** Whom a flow looks for. */
export type Audience = { conditions: FlowConditions; duration: FlowDuration };

export type AudienceCount = { matched: number; skipped: number };

/** True for a profile that fulfils all conditions; over the table `profiles`, as `compileCondition`'s predicate is. */
export function audiencePredicate(audience: Audience, now: Date): RawBuilder<boolean> {
  const conditions = [...audience.conditions, ...durationConditions(audience.duration)];
  const predicates = conditions.map((condition) => compileCondition(condition, now).predicate);
  return sql`(${sql.join(predicates, sql` and `)})`;
}

/** How many match now, and how many of them get nothing. Throws 503 `too_costly`. */
export async function countAudience(ctx: AccountContext, audience: Audience): Promise<AudienceCount> {
  const predicate = audiencePredicate(audience, ctx.clock.now());
  return withinBounds(ctx, async (tx) => {
    const { rows } = await sql<AudienceCount>`
      select count(*) as matched, count(*) filter (where ${skipReasonSql} is not null) as skipped
        from profiles
       where profiles.account_id = ${ctx.account.id} and ${predicate}
    `.execute(tx.db);
    return rows[0] ?? { matched: 0, skipped: 0 };
  });
}
