import { sql } from 'kysely';
import { personOfPeer } from '#server/connectors/messaging/port.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';
import { findNumberOfUser, withKnownNumber } from '#server/modules/numbers/phones/index.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import { learnNumber } from './learn-number.ts';

type Move = { from: Peer; to: Peer };

/**
 * Somebody has another number, or another user id of the official API, which is made anew with the number: a conversation
 * under the old id goes on under the new one, and an opt-out under the old number holds for the new one.
 */
export async function followMove(ctx: Context, phone: ReceivingPhone, { from, to }: Move): Promise<void> {
  const { accountId, projectId } = phone;
  const known = from.number ?? (from.lid && (await findNumberOfUser(ctx, accountId, from.lid)));
  const peer = await withKnownNumber(ctx, accountId, to);
  const person = personOfPeer(peer);
  await inTransaction(ctx, async (tx) => {
    // An opt-out withdraws what waits.
    await lockPhones(tx, accountId);
    const source = { accountId, projectId, at: tx.clock.now() };
    if (from.lid !== undefined && from.lid !== peer.lid) {
      if (peer.number === undefined) await renameUser(tx, phone, { from: from.lid, to: peer.lid });
      else await learnNumber(tx, phone, { number: peer.number, lid: from.lid });
      await tx.onDomainEvents(tx, [{ ...source, type: 'contact.number_learnt', number: person, lid: from.lid }]);
    }
    if (known !== undefined && known !== peer.number)
      await tx.onDomainEvents(tx, [{ ...source, type: 'contact.moved', number: known, person }]);
  });
}

/** Messages of somebody who is known by their user id alone are those of the new one. */
async function renameUser(tx: Tx, phone: ReceivingPhone, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    update messages set from_lid = ${to}
     where phone_id = ${phone.phoneId} and from_lid = ${from} and account_id = ${phone.accountId}
       and phone_key(case direction when 'incoming' then sender else recipient end) is null
  `.execute(tx.db);
}
