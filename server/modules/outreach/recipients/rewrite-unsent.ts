import type { Tx } from '#server/context.ts';
import { rewriteMessages, withdrawMessages } from '#server/modules/messaging/messages/index.ts';
import type { OwnLinks } from '#server/modules/outreach/links/index.ts';
import { messageFor } from './message-for.ts';
import type { MessageTemplate } from './message-for.ts';
import { fillForProfile } from './placeholder-text.ts';
import { skipText } from './skip-reason.ts';
import type { Recipient } from './skip-reason.ts';

/** A message that waits in the outbox, with the profile that it is for. */
type Unsent = Recipient & { message_id: number | null; entry_key: number };

type Rewriting = MessageTemplate & { accountId: number; own: OwnLinks; unsent: readonly Unsent[] };

/** Gives them the template's text; a message to whom that has nothing to say is withdrawn, with the reason. */
export async function rewriteUnsent(tx: Tx, { accountId, own, unsent, ...template }: Rewriting): Promise<void> {
  const texts = new Map<number, string>();
  const withdrawn = new Map<string, number[]>();
  for (const { message_id: messageId, entry_key: key, ...profile } of unsent) {
    const fill = (text: string, recipient: Recipient) =>
      fillForProfile(own(text, { key, phone: recipient.phone }), recipient);
    if (messageId === null) continue;
    const message = messageFor(template, profile, { fill });
    if (message.kind === 'text') texts.set(messageId, message.text);
    else if (message.kind === 'skipped')
      withdrawn.set(skipText(message.reason), [...(withdrawn.get(skipText(message.reason)) ?? []), messageId]);
  }
  await rewriteMessages(tx, { accountId, texts });
  for (const [reason, messageIds] of withdrawn) await withdrawMessages(tx, { accountId, messageIds, reason });
}
