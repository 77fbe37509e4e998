import { useSyncExternalStore } from 'react';
import type { ReadyAttachment } from '#web/shared/attach/attachments.ts';
import type { Mentioned } from './use-mentioning.tsx';

/** A reply that the server has not answered, or has refused; `key` makes sure that it goes out once. */
export type PendingReply = {
  readonly key: string;
  readonly text: string;
  readonly attachment: ReadyAttachment | undefined;
  readonly at: string;
  readonly override: boolean;
  /** The message that it answers. */
  readonly replyTo: number | undefined;
  /** The last message that its writer has seen, where nothing may have come after it. */
  readonly seenUpTo: number | undefined;
  readonly hasPreview: boolean;
  readonly mentions: readonly Mentioned[];
  readonly state: 'sending' | 'failed';
  /** Why it was refused, a sentence. */
  readonly error: string | undefined;
};

const none: readonly PendingReply[] = [];
const byConversation = new Map<number, readonly PendingReply[]>();
const listeners = new Set<() => void>();

function replace(conversationId: number, change: (replies: readonly PendingReply[]) => readonly PendingReply[]): void {
  byConversation.set(conversationId, change(byConversation.get(conversationId) ?? none));
  for (const listener of listeners) listener();
}

/** Kept outside the page, so that who looks at another conversation meanwhile finds what became of it. */
export const pendingReplies = {
  add: (conversationId: number, reply: PendingReply) => replace(conversationId, (replies) => [...replies, reply]),
  change: (conversationId: number, key: string, change: Partial<PendingReply>) =>
    replace(conversationId, (replies) => replies.map((reply) => (reply.key === key ? { ...reply, ...change } : reply))),
  remove(conversationId: number, key: string): void {
    const preview = byConversation.get(conversationId)?.find((reply) => reply.key === key)?.attachment?.preview;
    replace(conversationId, (replies) => replies.filter((reply) => reply.key !== key));
    if (preview !== undefined) URL.revokeObjectURL(preview);
  },
};

export function usePendingReplies(conversationId: number): readonly PendingReply[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => byConversation.get(conversationId) ?? none,
  );
}
