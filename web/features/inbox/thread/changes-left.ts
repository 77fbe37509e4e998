import type { Message } from '#contracts/messages.ts';

/** As WhatsApp allows. */
const editMs = 15 * 60_000;
const deleteMs = 60 * 60 * 60_000;

/** For how many more minutes the text of a message can be changed, and whether it can be deleted for everybody. */
export function changesLeft(message: Message, now: number): { editMinutes: number; canDelete: boolean } {
  const { direction, sent_at: sentAt, status, deleted_at: deletedAt, type } = message;
  const isOut = direction === 'outgoing' && sentAt !== null && status !== 'failed' && deletedAt === null;
  if (!isOut) return { editMinutes: 0, canDelete: false };
  const ageMs = now - Date.parse(sentAt);
  const leftMs = type === 'text' ? Math.max(0, editMs - ageMs) : 0;
  return { editMinutes: Math.ceil(leftMs / 60_000), canDelete: ageMs < deleteMs };
}
