import type { Message } from '#contracts/messages.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentMessage } from './present.ts';
import type { MessageRow } from './present.ts';

/** Reads a message of the account; with a project's auth key, of that project alone. */
export async function getMessage(ctx: AccountOrProjectContext, input: { messageId: number }): Promise<Message> {
  return presentMessage(await getMessageRow(ctx, input.messageId));
}

export async function getMessageRow(ctx: AccountOrProjectContext, messageId: number): Promise<MessageRow> {
  const row = await ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', messageId)
    .where(inScope(ctx))
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Message');
  return row;
}
