import { sql } from 'kysely';
import { standardThroughput } from '#contracts/connectors.ts';
import type { Context } from '#server/context.ts';

/** A limit that Meta changes holds for every number of the business account. */
export async function saveDailyLimit(
  ctx: Context,
  {
    accountId,
    businessAccountId,
    peoplePerDay,
  }: { accountId: number; businessAccountId: string; peoplePerDay: number | null },
): Promise<void> {
  const change = { people_per_day: peoplePerDay, is_unlimited: peoplePerDay === null };
  await ctx.db
    .updateTable('cloud_numbers')
    .set(({ ref }) => ({ facts: sql`${ref('facts')} || ${JSON.stringify(change)}::jsonb`, facts_at: ctx.clock.now() }))
    .where('account_id', '=', accountId)
    .where('business_account_id', '=', businessAccountId)
    .where('facts', 'is not', null)
    .execute();
}

/** How many messages a second official numbers may send, by their ids; others are missing. */
export async function findThroughputs(
  ctx: Context,
  accountId: number,
  phoneIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await ctx.db
    .selectFrom('cloud_numbers')
    .select(['phone_id', sql<number | null>`(facts ->> 'messages_per_second')::int`.as('per_second')])
    .where('account_id', '=', accountId)
    .where('phone_id', 'in', [...phoneIds])
    .execute();
  return new Map(rows.map((row) => [row.phone_id, row.per_second ?? standardThroughput]));
}
