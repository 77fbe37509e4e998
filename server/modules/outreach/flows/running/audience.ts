import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FlowConditions, FlowDuration } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import type { Moment, Question } from '#server/modules/audience/conditions/index.ts';
import { momentOf, questionOf, withinBounds } from '#server/modules/audience/conditions/index.ts';
import { skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import { durationConditions } from './duration-conditions.ts';

/** Whom a flow looks for. */
export type Audience = { conditions: FlowConditions; duration: FlowDuration };

export type AudienceCount = { matched: number; skipped: number };

export function audienceQuestion({ conditions, duration }: Audience): Question {
  return questionOf({ all: [...conditions, ...durationConditions(duration)] });
}

/** True for a profile that fulfils all conditions; over the table `profiles`. */
export function audiencePredicate(audience: Audience, moment: Moment): RawBuilder<boolean> {
  return audienceQuestion(audience).predicate(moment);
}

/** How many match now, and how many of them get nothing. Throws 503 `too_costly`. */
export async function countAudience(ctx: AccountContext, audience: Audience): Promise<AudienceCount> {
  const predicate = audiencePredicate(audience, momentOf(ctx));
  return withinBounds(ctx, async (tx) => {
    const { rows } = await sql<AudienceCount>`
      select count(*) as matched, count(*) filter (where ${skipReasonSql} is not null) as skipped
        from profiles
       where profiles.account_id = ${ctx.account.id} and ${predicate}
    `.execute(tx.db);
    return rows[0] ?? { matched: 0, skipped: 0 };
  });
}
