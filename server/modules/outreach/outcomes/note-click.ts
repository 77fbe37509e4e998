import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

type Clicked = { accountId: number; messageId: number; at: Date };

/** Notes that a link of a message to many was opened; the first time counts. */
export async function noteClicked(tx: Tx, { accountId, messageId, at }: Clicked): Promise<void> {
  const { rows } = await sql<{ profile_id: number }>`
    /* prepared: note-clicked */
    update engagements set clicked_at = ${at}::timestamptz, changed_at = ${at}::timestamptz
     where account_id = ${accountId} and message_id = ${messageId} and clicked_at is null
    returning profile_id
  `.execute(tx.db);
  const profileIds = rows.map((row) => row.profile_id);
  await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId, at, profileIds }]);
}
