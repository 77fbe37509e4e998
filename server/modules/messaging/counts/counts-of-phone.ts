import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';

/** The messages of a phone that were created since then, to a quarter of an hour. */
export async function countsOfPhone(
  ctx: AccountContext,
  { phoneId, since }: { phoneId: number; since: Date },
): Promise<{ sent: number; delivered: number }> {
  const { rows } = await sql<{ sent: number; delivered: number }>`
    select coalesce(sum(sent), 0)::int as sent, coalesce(sum(delivered), 0)::int as delivered
      from message_counts
     where account_id = ${ctx.account.id} and phone_id = ${phoneId} and direction = 'outgoing'
       and quarter_hour > ${since}
  `.execute(ctx.db);
  return rows[0] ?? { sent: 0, delivered: 0 };
}
