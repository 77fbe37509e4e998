import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';

type Learnt = Extract<DomainEvent, { type: 'contact.number_learnt' }>;

/**
 * Moves notifications of a conversation that is about to become part of another, as they would go with it. Unread ones
 * whose like the other has are left to go.
 */
export async function followJoins(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) if (event.type === 'contact.number_learnt') await followJoin(tx, event);
}

async function followJoin(tx: Tx, { accountId, projectId, number, lid }: Learnt): Promise<void> {
  const own = sql`account_id = ${accountId} and project_id = ${projectId}`;
  const { rows } = await sql<{ user_id: number }>`
    with joined as (
      select hidden.id as from_id, known.id as to_id
        from (select id from conversations where ${own} and contact_key = ${`${lidPrefix}${lid}`}) as hidden,
             (select id from conversations where ${own} and contact_key = ${phoneKey(number)}) as known
    ), causes as (
      update notification_causes t set conversation_id = joined.to_id from joined
       where t.account_id = ${accountId} and t.conversation_id = joined.from_id
    )
    update notifications n set conversation_id = joined.to_id from joined
     where n.account_id = ${accountId} and n.conversation_id = joined.from_id
       and (n.read_at is not null or not exists (
             select from notifications o
              where o.account_id = ${accountId} and o.conversation_id = joined.to_id and o.user_id = n.user_id
                and o.kind = n.kind and o.read_at is null))
    returning n.user_id
  `.execute(tx.db);
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
  await publishAllLive(
    tx,
    userIds.map((user_id) => ({ accountId, event: { type: 'notifications.changed', user_id } })),
  );
}
