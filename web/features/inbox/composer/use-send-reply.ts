import { useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText, hasCode } from '#web/shared/api-error.ts';
import { mediaFields } from '#web/shared/attach/sent-media.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { randomId } from '#web/shared/random-id.ts';
import { noteSentHere } from './sent-here.ts';
import { pendingReplies, type PendingReply } from './pending-replies.ts';

const failureText = 'The message was not sent. Try again.';

/**
 * Sends a reply that shows at once. A refused reply stays in its place with the reason; sent again it carries its key,
 * so that a reply whose answer was lost goes out once.
 */
export function useSendReply({ id: conversationId }: Pick<Conversation, 'id'>, onSent: (message: Message) => void) {
  const queryClient = useQueryClient();

  async function post(reply: PendingReply): Promise<void> {
    const { key, text, attachment, override, replyTo, seenUpTo, hasPreview, mentions } = reply;
    try {
      const body = {
        ...(attachment === undefined ? { message: text } : mediaFields(attachment, text)),
        ...(override && { override_opt_out: true }),
        ...(replyTo !== undefined && { reply_to: replyTo }),
        ...(seenUpTo !== undefined && { seen_up_to: seenUpTo }),
        ...(!hasPreview && attachment === undefined && { preview: false }),
        ...(mentions.length > 0 && { mentions: mentions.map(({ phone }) => `+${phone}`) }),
      };
      const call = { params: { conversationId }, body };
      const message = await callApi('POST /api/conversations/{conversationId}/messages', call, { idempotencyKey: key });
      noteSentHere(message.id);
      onSent(message);
      pendingReplies.remove(conversationId, key);
    } catch (error) {
      pendingReplies.change(conversationId, key, {
        state: 'failed',
        error: errorText(error, failureText),
        // Sent again, it goes in the knowledge of the answer; any other body stays the same, as its key does.
        ...(hasCode(error, 'answered_meanwhile') && { seenUpTo: undefined }),
      });
      // Why it cannot leave may be why the composer should say so.
      void queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
    }
  }

  return {
    send(written: Omit<PendingReply, 'key' | 'at' | 'state' | 'error'>): void {
      const reply: PendingReply = {
        ...written,
        key: randomId(),
        at: new Date().toISOString(),
        state: 'sending',
        error: undefined,
      };
      pendingReplies.add(conversationId, reply);
      void post(reply);
    },
    retry(reply: PendingReply): void {
      pendingReplies.change(conversationId, reply.key, { state: 'sending', error: undefined });
      void post(reply);
    },
    discard: (reply: PendingReply) => pendingReplies.remove(conversationId, reply.key),
  };
}
