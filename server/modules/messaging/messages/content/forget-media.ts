import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** Messages that carry a file say that it is gone, by the index of those that carry any. */
export async function forgetMedia(
  tx: Tx,
  { accountId, mediaId }: { accountId: number; mediaId: string },
): Promise<void> {
  await sql`
    update messages set media = jsonb_set(media, '{state}', '"gone"')
     where account_id = ${accountId} and media ->> 'id' = ${mediaId} and media is not null
  `.execute(tx.db);
}
