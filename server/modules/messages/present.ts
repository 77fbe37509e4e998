import type { Selectable } from 'kysely';
import type { Message, MessageStatus } from '#contracts/messages.ts';
import type { MessagesTable, StoredMessageStatus } from '#server/platform/db/schema.ts';

export type MessageRow = Selectable<MessagesTable>;

/** Whether a message is on its way to the network is the sender's own business: outside it is pending. */
export function presentStatus(status: StoredMessageStatus): MessageStatus {
  return status === 'sending' ? 'pending' : status;
}

export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    project_id: row.project_id,
    phone_id: row.phone_id,
    profile_id: row.profile_id,
    campaign_id: row.campaign_id,
    flow_id: row.flow_id,
    to: row.recipient,
    from: row.sender,
    message: row.body,
    direction: row.direction,
    status: presentStatus(row.status),
    error: row.error,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}
