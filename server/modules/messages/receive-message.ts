import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { countMessages } from '#server/modules/message-counts/index.ts';
import { getPhone } from '#server/modules/phone-numbers/index.ts';
import { profilesOfNumbers } from '#server/modules/profiles/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { presentMessage } from './present.ts';

export type ReceivingPhone = { accountId: number; projectId: number; phoneId: number; number: string };

/**
 * Stores a message from outside and tells of it. The network may hand the same message over twice, say after a broken
 * connection: the second time stores nothing and answers undefined.
 */
export async function receiveMessage(
  ctx: Context,
  phone: ReceivingPhone,
  incoming: IncomingMessage,
): Promise<Message | undefined> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const {
      rows: [seen],
    } = await sql<{ message_id: number }>`
      insert into incoming_messages_seen (account_id, phone_id, sender, network_id, message_id, seen_at)
      values (${phone.accountId}, ${phone.phoneId}, ${incoming.from}, ${incoming.networkId}, next_record_id(), ${now})
      on conflict do nothing
      returning message_id
    `.execute(tx.db);
    if (!seen) return undefined;
    const row = await tx.db
      .insertInto('messages')
      .values({
        id: seen.message_id,
        account_id: phone.accountId,
        project_id: phone.projectId,
        phone_id: phone.phoneId,
        direction: 'incoming',
        recipient: phone.number,
        sender: incoming.from,
        body: incoming.text,
        status: 'delivered',
        network_id: incoming.networkId,
        profile_id: sql`(select profile_id from ${profilesOfNumbers(phone.accountId, [incoming.from])} as profile)`,
        created_at: now,
        sent_at: incoming.at,
        delivered_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const message = presentMessage(row);
    const source = { accountId: phone.accountId, projectId: phone.projectId, at: now };
    await tx.onDomainEvents(tx, [{ ...source, type: 'message.received', data: message }]);
    await publishLive(tx, phone.accountId, {
      type: 'messages.changed',
      project_id: phone.projectId,
      message_ids: [row.id],
    });
    await countMessages(tx, [{ before: undefined, after: row }]);
    return message;
  });
}

/** Plays a message from outside to a sandbox phone. */
export async function receiveSandboxMessage(
  ctx: AccountContext,
  input: { phoneId: number; from: string; message: string },
): Promise<Message> {
  const phone = await getPhone(ctx, input.phoneId);
  if (phone.connector !== 'sandbox') {
    throw new ConflictError('not_a_sandbox_phone', 'Only a sandbox phone can be sent a simulated message');
  }
  if (phone.status !== 'connected') throw new ConflictError('no_connected_phone', 'Connect the sandbox phone first');
  const message = await receiveMessage(
    ctx,
    { accountId: phone.account_id, projectId: phone.project_id, phoneId: phone.id, number: phone.number ?? '' },
    {
      networkId: ctx.connectors.sandbox.createNetworkId(),
      from: input.from,
      text: input.message,
      at: ctx.clock.now(),
    },
  );
  if (!message) throw new Error('A simulated message was taken for one that had come before');
  return message;
}
