import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Takes a person's number out of the ledgers; what became of the entries stays, and is counted. */
export async function eraseRecipient(
  { db }: Context,
  { accountId, profileId }: { accountId: number; profileId: number },
): Promise<void> {
  await sql`
    update campaign_recipients r set phone = '' from campaigns c
     where c.account_id = ${accountId}
       and r.account_id = c.account_id and r.campaign_id = c.id and r.profile_id = ${profileId}
  `.execute(db);
}
