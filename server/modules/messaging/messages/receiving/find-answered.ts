import { sql } from 'kysely';
import { numberForms } from '#contracts/understand-number.ts';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

type Answering = Pick<IncomingMessage, 'networkId' | 'replyTo'> & {
  id: number;
  peer: { number: string; lid?: string };
};

/** Which messages these answer, by their own ids: of the same conversation, stored before or among these. */
export async function findAnswered(
  tx: Tx,
  phone: ReceivingPhone,
  messages: readonly Answering[],
): Promise<ReadonlyMap<number, number>> {
  const answering = messages.filter(({ replyTo }) => replyTo !== undefined);
  if (answering.length === 0) return new Map();
  const among = new Map(messages.map(({ id, peer, networkId }) => [`${peer.number} ${networkId}`, id]));
  const forms = answering.flatMap(({ id, peer, replyTo }) =>
    numberForms(peer.number).map((form) => ({ id, form, lid: peer.lid ?? null, replyTo })),
  );
  const column = columnsOf(forms);
  const { rows } = await sql<{ id: number; answered_id: number }>`
    /* prepared: find-answered */
    select x.id, max(m.id) as answered_id
      from unnest(${column('id', 'bigint')}, ${column('form', 'text')}, ${column('lid', 'text')},
                  ${column('replyTo', 'text')}) as x (id, form, lid, network_id)
      join messages m on m.phone_id = ${phone.phoneId} and m.network_id = x.network_id
                     and m.account_id = ${phone.accountId}
                     and (case m.direction when 'incoming' then m.sender else m.recipient end = x.form
                          or m.from_lid = x.lid)
     group by x.id
  `.execute(tx.db);
  const found = new Map(rows.map((row) => [row.id, row.answered_id]));
  for (const { id, peer, replyTo } of answering) {
    const answeredId = among.get(`${peer.number} ${replyTo}`);
    if (answeredId !== undefined && answeredId < id) found.set(id, answeredId);
  }
  return found;
}
