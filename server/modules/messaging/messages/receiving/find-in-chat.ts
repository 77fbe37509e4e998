import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { numberForms } from '#contracts/understand-number.ts';
import type { MessageRow } from '../present.ts';

export type ReceivingPhone = { accountId: number; projectId: number; phoneId: number; number: string };

/** Which of a conversation's messages: those of either side where `direction` is left out. */
type Search = { networkId: string; peer: Peer; direction?: MessageRow['direction'] };

/** A message of one phone's conversation with one peer, by the network's id: a stranger who guesses an id finds nothing. */
export async function findInChat(
  tx: Tx,
  phone: ReceivingPhone,
  { networkId, peer, direction }: Search,
): Promise<MessageRow | undefined> {
  const forms = peer.number === undefined ? [] : numberForms(peer.number);
  return tx.db
    .selectFrom('messages')
    .selectAll()
    .where('phone_id', '=', phone.phoneId)
    .where('network_id', '=', networkId)
    .where('account_id', '=', phone.accountId)
    .$if(direction !== undefined, (query) => query.where('direction', '=', direction ?? 'incoming'))
    .where(({ eb, or, and }) =>
      or([
        ...(forms.length > 0
          ? [
              and([eb('direction', '=', 'incoming'), eb('sender', 'in', forms)]),
              and([eb('direction', '=', 'outgoing'), eb('recipient', 'in', forms)]),
            ]
          : []),
        ...(peer.lid === undefined ? [] : [eb('from_lid', '=', peer.lid)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}
