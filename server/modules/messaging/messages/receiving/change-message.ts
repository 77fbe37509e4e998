import type { Updateable } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { IncomingContent, IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { withReaction } from '../content/apply-reactions.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import { findInChat } from './find-in-chat.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import type { MessagesTable } from '../tables.ts';

type ChangeContent = Extract<IncomingContent, { type: 'reaction' | 'edit' | 'revocation' }>;
export type IncomingChange = Omit<IncomingMessage, 'content'> & { content: ChangeContent };

const eventOf = {
  reaction: 'message.reaction',
  edit: 'message.edited',
  revocation: 'message.deleted',
} as const satisfies Record<ChangeContent['type'], string>;

/**
 * Applies a reaction, an edit or a revocation to the message it names; undefined when that is not here. Anybody in the
 * conversation may react; only who wrote a message may change it or take it back.
 */
export async function changeMessage(
  tx: Tx,
  phone: ReceivingPhone,
  change: IncomingChange,
): Promise<Message | undefined> {
  const { content, peer, isFromHandset } = change;
  const before = await findInChat(tx, phone, {
    networkId: content.target,
    peer,
    ...(content.type !== 'reaction' && { direction: isFromHandset ? 'outgoing' : 'incoming' }),
  });
  if (!before) return undefined;
  const after = await tx.db
    .updateTable('messages')
    .set(columnsOf(before, change))
    .where('account_id', '=', before.account_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const data = presentMessage(after);
  const source = { accountId: phone.accountId, projectId: phone.projectId, at: tx.clock.now() };
  await tx.onDomainEvents(tx, [{ ...source, type: eventOf[content.type], data }]);
  await publishLive(tx, phone.accountId, {
    type: 'messages.changed',
    project_id: phone.projectId,
    message_ids: [after.id],
  });
  return data;
}

function columnsOf(before: MessageRow, { content, isFromHandset, at }: IncomingChange): Updateable<MessagesTable> {
  switch (content.type) {
    case 'edit':
      return { body: content.text, edited_at: at };
    case 'revocation':
      return { deleted_at: at };
    case 'reaction': {
      const own = { emoji: content.emoji, from_me: isFromHandset, at: at.toISOString() };
      return { reactions: JSON.stringify(withReaction(before.reactions, own)) };
    }
  }
}
