import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { CampaignRef } from '../queries.ts';

const looksAt = 1000;

/** The reason that most recipients of a status have, as far as the first of them show. */
export async function commonReason(
  ctx: Context,
  { accountId, campaignId }: CampaignRef,
  status: 'failed' | 'skipped',
): Promise<string | undefined> {
  const { rows } = await sql<{ reason: string }>`
    select reason
      from (select reason from campaign_recipients
             where account_id = ${accountId} and campaign_id = ${campaignId} and status = ${sql.lit(status)}
             order by profile_id limit ${looksAt}) as few
     where reason is not null
     group by reason order by count(*) desc, reason limit 1
  `.execute(ctx.db);
  return rows[0]?.reason;
}
