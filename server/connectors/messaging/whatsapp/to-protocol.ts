import type { proto } from 'baileys';
import type { OutgoingContent } from '../port.ts';

/** What a message carries, as the protocol has it; `expiration` is after how many seconds its conversation loses it. */
export function toProtocol(content: OutgoingContent, expiration: number | undefined): proto.IMessage {
  return { extendedTextMessage: { text: content.text, ...(expiration && { contextInfo: { expiration } }) } };
}
