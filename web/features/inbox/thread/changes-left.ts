import { deletableMs, editableMs } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';

/** For how many more minutes the text of a message can be changed, and whether it can be deleted for everybody. */
export function changesLeft(message: Message, now: number): { editMinutes: number; canDelete: boolean } {
  const { direction, sent_at: sentAt, status, deleted_at: deletedAt, type } = message;
  const isOut = direction === 'outgoing' && sentAt !== null && status !== 'failed' && deletedAt === null;
  if (!isOut) return { editMinutes: 0, canDelete: false };
  const ageMs = now - Date.parse(sentAt);
  const leftMs = type === 'text' ? Math.max(0, editableMs - ageMs) : 0;
  return { editMinutes: Math.ceil(leftMs / 60_000), canDelete: ageMs < deletableMs };
}
