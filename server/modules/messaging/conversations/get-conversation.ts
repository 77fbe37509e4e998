import type { ConversationDetail } from '#contracts/conversations.ts';
import { sendingObstacleWords } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { findSendingOfPhone } from '#server/modules/numbers/phones/index.ts';
import { readConversation } from './read-conversations.ts';

/** A conversation, and what would become of a reply now. */
export async function getConversation(
  ctx: AccountContext,
  { conversationId }: { conversationId: number },
): Promise<ConversationDetail> {
  const conversation = await readConversation(ctx, conversationId);
  const { project_id: projectId, phone_id: phoneId } = conversation;
  const { sending, isOfPhone } = await findSendingOfPhone(ctx, { projectId, phoneId, number: conversation.phone });
  const message = sending.reason && (isOfPhone ? phoneWords : sendingObstacleWords)[sending.reason];
  return { ...conversation, sending: { ...sending, message } };
}

/** As the project's words, of the one phone that replies go through. */
const phoneWords: typeof sendingObstacleWords = {
  no_connected_phone: 'The phone number that this person wrote to is not connected',
  phones_inactive: 'The phone number that this person wrote to is switched off',
  sandbox_resting: sendingObstacleWords.sandbox_resting,
  phones_limited: 'WhatsApp restricts the phone number that this person wrote to for now',
  daily_limit_reached: 'The phone number that this person wrote to has reached its maximum for today',
  account_suspended: sendingObstacleWords.account_suspended,
  window_closed: sendingObstacleWords.window_closed,
};
