import { sql } from 'kysely';
import { standardThroughput } from '#contracts/connectors.ts';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';

/** Meta names times in whole seconds. */
const precisionMs = 1_000;

type OfBusiness = { accountId: number; businessAccountId: string; at: Date };

/** Changes facts that are no newer than `at`, Meta's own time: its webhooks may come late, and again. */
const changeFacts = (ctx: Context, { accountId, businessAccountId, at }: OfBusiness, change: Partial<CloudFacts>) =>
  ctx.db
    .updateTable('cloud_numbers')
    .set(({ ref }) => ({
      facts: sql`${ref('facts')} || ${JSON.stringify(change)}::jsonb`,
      facts_at: sql`greatest(${ref('facts_at')}, ${at}::timestamptz)`,
    }))
    .where('account_id', '=', accountId)
    .where('business_account_id', '=', businessAccountId)
    .where('facts', 'is not', null)
    .where(({ eb, or }) =>
      or([eb('facts_at', 'is', null), eb('facts_at', '<=', new Date(at.getTime() + precisionMs))]),
    );

/** A limit that Meta changes holds for every number of the business account. */
export async function saveDailyLimit(
  ctx: Context,
  { peoplePerDay, ...business }: OfBusiness & { peoplePerDay: number | null },
): Promise<void> {
  await changeFacts(ctx, business, { people_per_day: peoplePerDay, is_unlimited: peoplePerDay === null }).execute();
}

type OfNumber = OfBusiness & { phoneId: number; number: string | undefined; quality: CloudFacts['quality'] };

/** The quality of one number: the one with these digits, else the phone that was told of it. */
export async function saveQuality(ctx: Context, { phoneId, number, quality, ...business }: OfNumber): Promise<void> {
  const named = ctx.db.selectFrom('phones').select('id').where('account_id', '=', business.accountId);
  await changeFacts(ctx, business, { quality })
    .where('phone_id', 'in', number === undefined ? [phoneId] : named.where('number', '=', number))
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
