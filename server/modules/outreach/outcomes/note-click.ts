import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

type Clicked = { accountId: number; messageId: number; at: Date };

/** Notes that a link of a message to many was opened; the first time counts. */
export async function noteClicked(tx: Tx, { accountId, messageId, at }: Clicked): Promise<void> {
  await sql`
    /* prepared: note-clicked, unread */
    update engagements set clicked_at = ${at}::timestamptz, changed_at = ${at}::timestamptz
     where account_id = ${accountId} and message_id = ${messageId} and clicked_at is null
  `.execute(tx.db);
  await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId, at }]);
}
