import type { proto } from 'baileys';
import type { OutgoingContent } from '../port.ts';

/** What a message carries, as the protocol has it. */
export function toProtocol(content: OutgoingContent): proto.IMessage {
  return { extendedTextMessage: { text: content.text } };
}
