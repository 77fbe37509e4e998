import type { MessageReaction } from '#contracts/message-content.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';

/** The reactions of a message once one side has reacted; an empty emoji takes that side's back. */
export function withReaction(before: MessageRow['reactions'], own: MessageReaction): MessageReaction[] {
  const others = (before ?? []).filter((reaction) => reaction.from_me !== own.from_me);
  return own.emoji === '' ? others : [...others, own];
}

/** A reaction that the network took changes the message that it names. */
export async function applyReactions(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'message.sent' || event.data.type !== 'reaction' || event.data.reply_to === null) continue;
    const { accountId, projectId, at } = event;
    const before = await tx.db
      .selectFrom('messages')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', event.data.reply_to)
      .forUpdate()
      .executeTakeFirst();
    if (!before) continue;
    const own = { emoji: event.data.message, from_me: true, at: at.toISOString() };
    const after = await tx.db
      .updateTable('messages')
      .set({ reactions: JSON.stringify(withReaction(before.reactions, own)) })
      .where('account_id', '=', accountId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.onDomainEvents(tx, [{ accountId, projectId, at, type: 'message.reaction', data: presentMessage(after) }]);
    await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: [after.id] });
  }
}
