import type { ConversationChange } from '#contracts/conversation-changes.ts';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import type { Message } from '#contracts/messages.ts';
import type { PendingReply } from '../composer/pending-replies.ts';

/** A line of the thread, newest first; `day` heads it where it is the first of its day. */
export type ThreadRow = { key: string; day: string | undefined } & (
  | { kind: 'message'; message: Message }
  | { kind: 'pending'; reply: PendingReply }
  | { kind: 'note'; note: ConversationNote }
  | { kind: 'change'; change: ConversationChange }
);

type Beside = { notes?: readonly ConversationNote[]; changes?: readonly ConversationChange[] };

/** Notes and changes stand between the messages by their time; replies that are on their way below everything that has arrived. */
export function threadRows(
  messages: readonly Message[],
  pending: readonly PendingReply[],
  { notes = [], changes = [] }: Beside,
  { dayOf, isWhole }: { dayOf: (iso: string) => string; isWhole: boolean },
): readonly ThreadRow[] {
  const arrived = [
    ...messages.map((message) => ({
      kind: 'message' as const,
      key: String(message.id),
      message,
      at: message.created_at,
    })),
    ...notes.map((note) => ({ kind: 'note' as const, key: `note ${note.id}`, note, at: note.created_at })),
    ...changes.map((change) => ({
      kind: 'change' as const,
      key: `change ${change.id}`,
      change,
      at: change.created_at,
    })),
  ];
  // Sorting is stable: messages of one moment stay in their order.
  if (notes.length + changes.length > 0) arrived.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const rows = [
    ...pending.toReversed().map((reply) => ({ kind: 'pending' as const, key: reply.key, reply, at: reply.at })),
    ...arrived,
  ];
  return rows.map(({ at, ...row }, index) => {
    const before = rows[index + 1];
    // The first one known opens a day only where nothing came before it.
    const isFirst = before === undefined ? isWhole : dayOf(before.at) !== dayOf(at);
    return { ...row, day: isFirst ? dayOf(at) : undefined };
  });
}
