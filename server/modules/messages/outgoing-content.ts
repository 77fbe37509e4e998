import type { OutgoingContent } from '#contracts/message-content.ts';
import type { MessageRow } from './present.ts';

/** What a stored message carries, as a connector takes it; undefined for a kind that is not sent from here. */
export function outgoingContentOf({ type, body }: Pick<MessageRow, 'type' | 'body'>): OutgoingContent | undefined {
  // Null is a text.
  return type === null || type === 'text' ? { type: 'text', text: body } : undefined;
}
