import type { Tx } from '#server/context.ts';
import { rewriteMessages, withdrawMessages } from '#server/modules/messaging/messages/index.ts';
import { messageFor } from './message-for.ts';
import type { MessageTemplate } from './message-for.ts';
import { skipText } from './skip-reason.ts';
import type { Recipient } from './skip-reason.ts';

/** A message that waits in the outbox, with the profile that it is for. */
type Unsent = Recipient & { message_id: number | null };

type Rewriting = MessageTemplate & { accountId: number; unsent: readonly Unsent[] };

/** Gives them the template's text; a message to whom that has nothing to say is withdrawn, with the reason. */
export async function rewriteUnsent(tx: Tx, { accountId, unsent, ...template }: Rewriting): Promise<void> {
  const texts = new Map<number, string>();
  const withdrawn = new Map<string, number[]>();
  for (const { message_id: messageId, ...profile } of unsent) {
    if (messageId === null) continue;
    const message = messageFor(template, profile);
    if (message.kind === 'text') texts.set(messageId, message.text);
    else if (message.kind === 'skipped')
      withdrawn.set(skipText(message.reason), [...(withdrawn.get(skipText(message.reason)) ?? []), messageId]);
  }
  await rewriteMessages(tx, { accountId, texts });
  for (const [reason, messageIds] of withdrawn) await withdrawMessages(tx, { accountId, messageIds, reason });
}
