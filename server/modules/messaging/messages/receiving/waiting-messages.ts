import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import type { MessagesTable } from '../tables.ts';
import { findInChat } from './find-in-chat.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

const announcedAfterMs = 60_000;
const batchSize = 100;
const maxBatches = 50;

/** The record of a message that could not be read when it came first. */
export async function findWaiting(
  tx: Tx,
  phone: ReceivingPhone,
  { networkId, peer, isFromHandset }: IncomingMessage,
): Promise<MessageRow | undefined> {
  const direction = isFromHandset ? 'outgoing' : 'incoming';
  const row = await findInChat(tx, phone, { networkId, peer, direction });
  return row?.type === 'waiting' ? row : undefined;
}

/** The message is announced once it can be read, or as waiting after a minute. */
export async function announceLater(tx: Tx, row: MessageRow, senderName: string | undefined): Promise<void> {
  const due_at = new Date(tx.clock.now().getTime() + announcedAfterMs);
  const { account_id, id: message_id } = row;
  await tx.db
    .insertInto('waiting_messages')
    .values({ account_id, message_id, sender_name: senderName ?? null, due_at })
    .execute();
}

type Filled = { row: MessageRow; wasAnnounced: boolean };

/** The record becomes what the message is. */
export async function fillWaiting(
  tx: Tx,
  { account_id: accountId, id, edited_at: editedAt, body }: MessageRow,
  columns: Partial<Insertable<MessagesTable>>,
): Promise<Filled> {
  const row = await tx.db
    .updateTable('messages')
    // An edit that came before has the newer text.
    .set({ ...columns, ...(editedAt && { body }) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, wasAnnounced: !(await stopWaiting(tx, row)) };
}

/**
 * The waiting message was a change of another: its record, which was never announced, goes, or it gets the type of the
 * change.
 */
export async function closeWaiting(tx: Tx, waiting: MessageRow, protocolType: string): Promise<void> {
  const { account_id: accountId, project_id, id } = waiting;
  if (await stopWaiting(tx, waiting)) {
    await tx.db.deleteFrom('messages').where('account_id', '=', accountId).where('id', '=', id).execute();
  } else await fillWaiting(tx, waiting, { type: 'unsupported', protocol_type: protocolType });
  await publishLive(tx, accountId, { type: 'messages.changed', project_id, message_ids: [id] });
}

/** Whether it had not been told of. */
async function stopWaiting(tx: Tx, { account_id: accountId, id }: MessageRow): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('waiting_messages')
    .where('account_id', '=', accountId)
    .where('message_id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Tells of the messages that are still waiting a minute after they came. Answers in how many ms the next one is due. */
export async function announceWaiting(ctx: Context): Promise<number | undefined> {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    if ((await announceBatch(ctx)) < batchSize) return findNext(ctx);
  }
  return 0;
}

// account-wide: a single look into the index, whoever is written to.
async function findNext({ db, clock }: Context): Promise<number | undefined> {
  const next = await db.selectFrom('waiting_messages').select('due_at').orderBy('due_at').limit(1).executeTakeFirst();
  return next && Math.max(0, next.due_at.getTime() - clock.now().getTime());
}

function announceBatch(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ account_id: number; message_id: number; sender_name: string | null }>`
      delete from waiting_messages
       where (account_id, message_id) in (
         select account_id, message_id from waiting_messages
          where due_at <= ${tx.clock.now()} order by due_at limit ${batchSize} for update skip locked)
      returning account_id, message_id, sender_name
    `.execute(tx.db);
    for (const { account_id, message_id, sender_name } of rows) {
      const row = await tx.db
        .selectFrom('messages')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('id', '=', message_id)
        .executeTakeFirst();
      if (!row) continue;
      const source = { accountId: account_id, projectId: row.project_id, at: tx.clock.now() };
      const type = row.direction === 'incoming' ? 'message.received' : 'message.sent';
      const senderName = sender_name ?? undefined;
      await tx.onDomainEvents(tx, [{ ...source, type, data: presentMessage(row), senderName }]);
    }
    return rows.length;
  });
}
