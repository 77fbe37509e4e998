import type { proto } from 'baileys';
import { assertNever } from '#server/platform/errors.ts';
import type { OutgoingContent } from '../port.ts';

/** What a message carries, as the protocol has it; `expiration` is after how many seconds its conversation loses it. */
export function toProtocol(content: OutgoingContent, expiration: number | undefined): proto.IMessage {
  switch (content.type) {
    case 'text':
      return { extendedTextMessage: { text: content.text, ...(expiration && { contextInfo: { expiration } }) } };
    default:
      return assertNever(content.type);
  }
}
