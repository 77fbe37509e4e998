import type { Message } from '#contracts/messages.ts';
import type { PendingReply } from '../composer/pending-replies.ts';

/** A line of the thread, newest first; `day` heads it where it is the first of its day. */
export type ThreadRow = { key: string; day: string | undefined } & (
  | { kind: 'message'; message: Message }
  | { kind: 'pending'; reply: PendingReply }
);

/** Replies that are on their way stand below everything that has arrived. */
export function threadRows(
  messages: readonly Message[],
  pending: readonly PendingReply[],
  { dayOf, isWhole }: { dayOf: (iso: string) => string; isWhole: boolean },
): readonly ThreadRow[] {
  const rows = [
    ...pending.toReversed().map((reply) => ({ kind: 'pending' as const, key: reply.key, reply, at: reply.at })),
    ...messages.map((message) => ({
      kind: 'message' as const,
      key: String(message.id),
      message,
      at: message.created_at,
    })),
  ];
  return rows.map(({ at, ...row }, index) => {
    const before = rows[index + 1];
    // The first one known opens a day only where nothing came before it.
    const isFirst = before === undefined ? isWhole : dayOf(before.at) !== dayOf(at);
    return { ...row, day: isFirst ? dayOf(at) : undefined };
  });
}
