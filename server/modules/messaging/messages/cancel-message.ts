import type { Message } from '#contracts/messages.ts';
import type { AccountOrProjectContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { getMessageRow } from './get-message.ts';
import { boundMessage, presentMessage } from './present.ts';
import type { MessageRow } from './present.ts';
import { withdrawMessages, withdrawnCode } from './queued/withdraw-messages.ts';
import { announce, saveChanges } from './settle-messages.ts';

const reason = 'Cancelled before it was sent';

/** Takes back a message that no phone has tried to send. A message that was cancelled before stays as it is. */
export async function cancelMessage(ctx: AccountOrProjectContext, input: { messageId: number }): Promise<Message> {
  return inTransaction(ctx, async (tx) => {
    const { id } = await getMessageRow(tx, input.messageId);
    await cancelWithoutPhone(tx, id);
    await withdrawMessages(tx, { accountId: tx.account.id, messageIds: [id], reason });
    const row = await getMessageRow(tx, id);
    if (row.error_code !== withdrawnCode) throw notCancellable(row);
    return boundMessage(tx, presentMessage(row));
  });
}

/** A message that has just got a phone is withdrawn from there. */
async function cancelWithoutPhone(tx: Tx<AccountOrProjectContext>, messageId: number): Promise<void> {
  const before = await tx.db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('id', '=', messageId)
    .where('status', 'in', ['scheduled', 'deferred'])
    .forUpdate()
    .executeTakeFirst();
  if (!before) return;
  const after = { ...before, status: 'failed' as const, error: reason, error_code: withdrawnCode };
  await saveChanges(tx, [{ before, after }]);
  await announce(tx, [{ before, after }]);
}

function notCancellable(row: MessageRow): ProblemError {
  const words = row.direction === 'incoming' ? 'It came from outside' : 'It is being sent, or was';
  return new ProblemError(409, 'not_cancellable', `${words}: there is nothing to cancel`, { messageId: row.id });
}
