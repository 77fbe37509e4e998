import type { Updateable } from 'kysely';
import { isChange } from '#contracts/message-content.ts';
import type { MessageReaction } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import type { MessagesTable, StoredSource } from '../tables.ts';

/** The reactions of a message once one side has reacted; an empty emoji takes that side's back. */
export function withReaction(before: MessageRow['reactions'], own: MessageReaction): MessageReaction[] {
  const others = (before ?? []).filter((reaction) => reaction.from_me !== own.from_me);
  return own.emoji === '' ? others : [...others, own];
}

const eventOf = { reaction: 'message.reaction', edit: 'message.edited', deletion: 'message.deleted' } as const;

/** A reaction, an edit or a deletion that the network took changes the message that it names. */
export async function applyChanges(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'message.sent' || !isChange(event.data.type) || event.data.reply_to === null) continue;
    const { accountId, projectId, at } = event;
    const before = await tx.db
      .selectFrom('messages')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', event.data.reply_to)
      .forUpdate()
      .executeTakeFirst();
    // Two deletions may be under way at once, and an edit beside one.
    if (!before || (before.deleted_at !== null && event.data.type !== 'reaction')) continue;
    const after = await tx.db
      .updateTable('messages')
      .set(columnsOf(before, event.data, at))
      .where('account_id', '=', accountId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const type = eventOf[event.data.type as keyof typeof eventOf];
    await tx.onDomainEvents(tx, [{ accountId, projectId, at, type, data: presentMessage(after) }]);
    await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: [after.id] });
  }
}

function columnsOf(before: MessageRow, change: Message, at: Date): Updateable<MessagesTable> {
  if (change.type === 'edit') return { body: change.message, edited_at: at, ...mentioning(before, change) };
  if (change.type === 'deletion') return { deleted_at: at };
  const own = { emoji: change.message, from_me: true, at: at.toISOString() };
  return { reactions: JSON.stringify(withReaction(before.reactions, own)) };
}

/** The message mentions those whom its new text does. */
function mentioning({ media_source: source }: MessageRow, { context }: Message): Updateable<MessagesTable> {
  const { context: before, manner, ...details } = source?.details ?? {};
  const mentions = context?.mentions ?? [];
  if (mentions.length === 0 && (before ?? manner)?.mentions === undefined) return {};
  const after = before ? { context: { ...before, mentions } } : { manner: { ...manner, mentions } };
  return { media_source: JSON.stringify({ ...source, details: { ...details, ...after } } satisfies StoredSource) };
}
