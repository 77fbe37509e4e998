import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Takes a person's number and texts out of the ledgers; what became of the entries stays, and is counted. */
export async function eraseDeliveries(
  { db }: Context,
  { accountId, profileId }: { accountId: number; profileId: number },
): Promise<void> {
  await sql`
    update flow_deliveries d set phone = '', body = null from flows f
     where f.account_id = ${accountId}
       and d.account_id = f.account_id and d.flow_id = f.id and d.profile_id = ${profileId}
  `.execute(db);
  await sql`
    update flow_profiles g set phone_key = null from flows f
     where f.account_id = ${accountId}
       and g.account_id = f.account_id and g.flow_id = f.id and g.profile_id = ${profileId}
  `.execute(db);
}
