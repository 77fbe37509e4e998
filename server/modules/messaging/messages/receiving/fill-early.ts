import type { MessageContext } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { IncomingChange, IncomingContent, IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { contentColumns } from '../content/incoming-columns.ts';
import { presentMessage } from '../present.ts';
import { findInChat } from './find-in-chat.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import { requestFetch } from './media-fetches.ts';

const changes: readonly string[] = ['sealed', 'reaction', 'edit', 'vote', 'revocation'];
const isChange = (content: IncomingContent): content is IncomingChange => changes.includes(content.type);

/**
 * Adds a message to the record that its edit made before it came: its time, its file, what it answers. The wording, and
 * whom it mentions, stay the edit's. Undefined for every other message that was taken before.
 */
export async function fillEarly(
  tx: Tx,
  phone: ReceivingPhone,
  incoming: IncomingMessage,
): Promise<Message | undefined> {
  const { content, peer, isFromHandset, networkId, replyTo, at } = incoming;
  if (isChange(content) || content.type === 'waiting' || content.type === 'number_shared') return undefined;
  const direction = isFromHandset ? 'outgoing' : 'incoming';
  const before = await findInChat(tx, phone, { networkId, peer, direction });
  if (!before?.media_source?.details?.is_early || before.deleted_at !== null) return undefined;
  const context = editedContext(before.media_source?.details?.context, incoming.context);
  const { body: _, ...columns } = contentColumns(content, { context, secret: incoming.secret });
  const answered = replyTo === undefined ? undefined : await findInChat(tx, phone, { networkId: replyTo, peer });
  const row = await tx.db
    .updateTable('messages')
    .set({ ...columns, sent_at: at, reply_to: answered?.id ?? null })
    .where('account_id', '=', before.account_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.media !== null) await requestFetch(tx, row);
  await publishLive(tx, phone.accountId, {
    type: 'messages.changed',
    project_id: phone.projectId,
    message_ids: [row.id],
  });
  return presentMessage(row);
}

function editedContext(edit: MessageContext | undefined, own: MessageContext | undefined): MessageContext | undefined {
  return own ? { ...own, mentions: edit?.mentions ?? [], preview: edit?.preview ?? own.preview } : edit;
}
