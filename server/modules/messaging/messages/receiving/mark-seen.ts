import { sql } from 'kysely';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

type Place = { sender: string; byLid: string; networkId: string };
type Told = Pick<IncomingMessage, 'peer' | 'isFromHandset' | 'networkId'>;

/**
 * An id for each message that is new here, in their order; undefined for one that was taken before, be it when its
 * sender was known by the LID alone, or that stands in the list twice.
 */
export async function markSeen(
  tx: Tx,
  phone: ReceivingPhone,
  messages: readonly Told[],
): Promise<(number | undefined)[]> {
  const given = messages.map(placeOf);
  const column = columnsOf(given);
  const { rows } = await sql<{ sender: string; network_id: string; message_id: number }>`
    /* prepared: mark-all-seen */
    with given as materialized (
      select * from unnest(${column('sender', 'text')}, ${column('byLid', 'text')}, ${column('networkId', 'text')})
              with ordinality as g (sender, by_lid, network_id, place)
       where not exists (
         select from incoming_messages_seen s
          where s.account_id = ${phone.accountId} and s.phone_id = ${phone.phoneId} and s.sender = g.by_lid
            and s.network_id = g.network_id)
       order by place
    )
    insert into incoming_messages_seen (account_id, phone_id, sender, network_id, message_id, seen_at)
    select ${phone.accountId}::bigint, ${phone.phoneId}::bigint, sender, network_id, next_record_id(),
           ${tx.clock.now()}::timestamptz
      from given
    on conflict do nothing
    returning sender, network_id, message_id
  `.execute(tx.db);
  const ids = new Map(rows.map((row) => [`${row.sender} ${row.network_id}`, row.message_id]));
  return given.map(({ sender, networkId }) => {
    const place = `${sender} ${networkId}`;
    const id = ids.get(place);
    ids.delete(place);
    return id;
  });
}

/** Ids are unique within one side of a conversation. */
function placeOf({ peer, isFromHandset, networkId }: Told): Place {
  const side = (chat: string) => (isFromHandset ? `to:${chat}` : chat);
  const byLid = side(`lid:${peer.lid}`);
  return { sender: peer.number === undefined ? byLid : side(peer.number), byLid, networkId };
}
