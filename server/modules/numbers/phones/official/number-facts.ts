import { sql } from 'kysely';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';

type PhoneOfAccount = { accountId: number; phoneId: number };

/** Keeps what Meta says of a number as it connects or is tested. */
export async function saveNumberFacts(
  ctx: Context,
  { accountId, phoneId, facts }: PhoneOfAccount & { facts: CloudFacts },
): Promise<void> {
  await ctx.db
    .updateTable('cloud_numbers')
    .set({ facts: JSON.stringify(facts), facts_at: ctx.clock.now() })
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .execute();
}

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
