import { connectorTraits } from '#contracts/connectors.ts';
import { isChange } from '#contracts/message-content.ts';
import type { ConversationReply } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import {
  acceptMessages,
  boundMessage,
  presentMessage,
  readThread,
  refusalOf,
  resolveContent,
} from '#server/modules/messaging/messages/index.ts';
import { findRotationPhones } from '#server/modules/numbers/phones/index.ts';
import type { RotationPhone } from '#server/modules/numbers/phones/index.ts';
import { ConflictError, InvalidInputError } from '#server/platform/errors.ts';
import { requestReadReceipts } from './presence/read-receipts.ts';
import { getConversationRow } from './read-conversations.ts';
import { noteAnswered } from './times/episodes.ts';

type Reply = ConversationReply & { conversationId: number };

/**
 * Hands a reply to the phone that the person wrote to, or to the project's rotation where that phone is gone. Replying
 * marks earlier messages as read. Errors: as `sendMessage`, and 409 `answered_meanwhile`.
 */
export async function replyToConversation(
  ctx: AccountContext,
  { conversationId, seen_up_to: seenUpTo, ...reply }: Reply,
): Promise<Message> {
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
    requireCarriable(
      message.type,
      phones.find(({ id }) => id === message.phone_id),
    );
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
    if (seenUpTo !== undefined) await requireUnanswered(tx, { conversationId, seenUpTo, ownId: message.id });
    if (isShown) await noteAnswered(tx, { conversationId, at: message.created_at });
    const news = { type: 'conversations.changed', project_id: projectId, conversation_id: conversationId } as const;
    await publishLive(tx, ctx.account.id, news);
    const { message: text, media, location, contacts, reactions } = presentMessage(message);
    return boundMessage(tx, presentMessage(message), { message: text, media, location, contacts, reactions });
  });
}

/** Nobody waits for the network's answer here, so that a reply which it has no word for is refused before it goes. */
function requireCarriable(type: string | null, phone: RotationPhone | undefined): void {
  if (type !== 'poll' && type !== 'number_request') return;
  if (!phone || connectorTraits[phone.connector].changesSent) return;
  const message = type === 'poll' ? 'send polls' : 'ask for the number of a person';
  throw new InvalidInputError([{ path: 'type', message: `Numbers of the official API cannot ${message}` }]);
}

/** As many of the latest messages as are looked at. */
const mostSeen = 50;

/**
 * Throws where somebody has answered after what was seen. By now the conversation is locked, so that of two answers
 * written at once the second finds the first.
 */
async function requireUnanswered(
  tx: Tx<AccountContext>,
  { conversationId, seenUpTo, ownId }: { conversationId: number; seenUpTo: number; ownId: number },
): Promise<void> {
  const conversation = await getConversationRow(tx, conversationId);
  const latest = await readThread(tx, conversation, { after: undefined, limit: mostSeen });
  const isAnswer = ({ id, direction, source }: (typeof latest)[number]) =>
    id > seenUpTo && id !== ownId && direction === 'outgoing' && (source === 'inbox' || source === 'handset');
  if (!latest.some(isAnswer)) return;
  throw new ConflictError('answered_meanwhile', 'Somebody else has answered meanwhile');
}
