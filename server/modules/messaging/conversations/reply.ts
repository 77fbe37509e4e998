import { isChange } from '#contracts/message-content.ts';
import type { ConversationReply } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import {
  acceptMessages,
  boundMessage,
  presentMessage,
  refusalOf,
  resolveContent,
} from '#server/modules/messaging/messages/index.ts';
import { findRotationPhones } from '#server/modules/numbers/phones/index.ts';
import { requestReadReceipts } from './presence/read-receipts.ts';
import { getConversationRow } from './read-conversations.ts';

type Reply = ConversationReply & { conversationId: number };

/**
 * Hands a reply to the phone that the person wrote to, or to the project's rotation where that phone is gone. Replying
 * marks earlier messages as read. Errors: as `sendMessage`.
 */
export async function replyToConversation(ctx: AccountContext, { conversationId, ...reply }: Reply): Promise<Message> {
  return inTransaction(ctx, async (tx) => {
    await requestReadReceipts(tx, { conversationId });
    const { project_id: projectId, phone_id: known, ...row } = await getConversationRow(tx, conversationId);
    const to = row.phone ?? row.contact_key;
    const resolved = await resolveContent({ ...tx, project: { id: projectId } }, { ...reply, to });
    const phones = await findRotationPhones(tx, { accountId: ctx.account.id, projectIds: [projectId] });
    const phoneId = resolved.phoneId ?? phones.find(({ id }) => id === known)?.id;
    const { override_opt_out } = reply;
    const submission = { ...resolved, to, phoneId, override_opt_out, key: undefined, onId: () => undefined };
    const [acceptance] = await acceptMessages(tx, { account: ctx.account, projectId, source: 'inbox' }, [submission]);
    if (acceptance?.kind !== 'accepted') throw refusalOf(ctx, acceptance);
    const { message } = acceptance;
    const isShown = !isChange(message.type ?? 'text');
    await tx.db
      .updateTable('conversations')
      .set({
        ...(isShown && { last_message_id: message.id, last_message_at: message.created_at }),
        unread_count: 0,
        phone_id: message.phone_id,
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', conversationId)
      .execute();
    const news = { type: 'conversations.changed', project_id: projectId, conversation_id: conversationId } as const;
    await publishLive(tx, ctx.account.id, news);
    const { message: text, media, location, contacts, reactions } = presentMessage(message);
    return boundMessage(tx, presentMessage(message), { message: text, media, location, contacts, reactions });
  });
}
