import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { OutcomeSource } from './tables.ts';

type Clicked = { accountId: number; source: OutcomeSource; sourceId: number; messageId: number; at: Date };

/**
 * Notes that a link of a message to many was opened; the first time counts. People may open it before the network's
 * answer has been settled, and with it written down how far the message came.
 */
export async function noteClicked(tx: Tx, { accountId, source, sourceId, messageId, at }: Clicked): Promise<void> {
  const { rows } = await sql<{ profile_id: number }>`
    /* prepared: note-clicked */
    with noted as (
      update engagements set clicked_at = coalesce(clicked_at, ${at}::timestamptz), changed_at = ${at}::timestamptz
       where account_id = ${accountId} and message_id = ${messageId}
      returning profile_id
    ), unknown as materialized (
      select account_id, id, profile_id from messages
       where account_id = ${accountId} and id = ${messageId} and profile_id is not null
         and not exists (select from noted)
    ), begun as (
      insert into engagements as g (account_id, message_id, profile_id, source, source_id, clicked_at, changed_at)
      select account_id, id, profile_id, ${source}::text, ${sourceId}::bigint, ${at}::timestamptz, ${at}::timestamptz
        from unknown
      on conflict (account_id, message_id) do update
         set clicked_at = coalesce(g.clicked_at, excluded.clicked_at), changed_at = excluded.changed_at
      returning profile_id
    )
    select profile_id from noted union all select profile_id from begun
  `.execute(tx.db);
  const profileIds = rows.map((row) => row.profile_id);
  await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId, at, profileIds }]);
}
