import { sql } from 'kysely';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

/** The id for a message that is new here; undefined for one that was taken before. */
export async function markSeen(
  tx: Tx,
  phone: ReceivingPhone,
  { peer, isFromHandset, networkId }: Pick<IncomingMessage, 'peer' | 'isFromHandset' | 'networkId'>,
): Promise<number | undefined> {
  const chat = peer.number ?? `lid:${peer.lid}`;
  // Ids are unique within one side of a conversation.
  const sender = isFromHandset ? `to:${chat}` : chat;
  const {
    rows: [seen],
  } = await sql<{ message_id: number }>`
    insert into incoming_messages_seen (account_id, phone_id, sender, network_id, message_id, seen_at)
    values (${phone.accountId}, ${phone.phoneId}, ${sender}, ${networkId}, next_record_id(), ${tx.clock.now()})
    on conflict do nothing
    returning message_id
  `.execute(tx.db);
  return seen?.message_id;
}
