import { sql } from 'kysely';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

/**
 * The id for a message that is new here; undefined for one that was taken before, be it when its sender was known by the
 * LID alone.
 */
export async function markSeen(
  tx: Tx,
  phone: ReceivingPhone,
  { peer, isFromHandset, networkId }: Pick<IncomingMessage, 'peer' | 'isFromHandset' | 'networkId'>,
): Promise<number | undefined> {
  // Ids are unique within one side of a conversation.
  const side = (chat: string) => (isFromHandset ? `to:${chat}` : chat);
  const byLid = side(`lid:${peer.lid}`);
  const sender = peer.number === undefined ? byLid : side(peer.number);
  const {
    rows: [seen],
  } = await sql<{ message_id: number }>`
    /* prepared: mark-seen */
    insert into incoming_messages_seen (account_id, phone_id, sender, network_id, message_id, seen_at)
    select ${phone.accountId}::bigint, ${phone.phoneId}::bigint, ${sender}::text, ${networkId}::text, next_record_id(),
           ${tx.clock.now()}::timestamptz
     where not exists (
       select from incoming_messages_seen
        where account_id = ${phone.accountId} and phone_id = ${phone.phoneId} and sender = ${byLid} and network_id = ${networkId})
    on conflict do nothing
    returning message_id
  `.execute(tx.db);
  return seen?.message_id;
}
