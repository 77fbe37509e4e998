import { useSyncExternalStore } from 'react';
import type { ReadyAttachment } from '#web/shared/attach/attachments.ts';
import { getSession, onSessionChange } from '#web/shared/session.ts';
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
  const next = change(byConversation.get(conversationId) ?? none);
  if (next.length === 0) byConversation.delete(conversationId);
  else byConversation.set(conversationId, next);
  announce();
}

function announce(): void {
  for (const listener of listeners) listener();
  if (byConversation.size === 0) window.removeEventListener('beforeunload', askBeforeLeaving);
  else window.addEventListener('beforeunload', askBeforeLeaving);
}

/** A reload would lose what nobody else has yet: the draft went with Send. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function revoke({ attachment }: PendingReply): void {
  if (attachment?.preview !== undefined) URL.revokeObjectURL(attachment.preview);
}

/** Kept outside the page, so that who looks at another conversation meanwhile finds what became of it. */
export const pendingReplies = {
  add: (conversationId: number, reply: PendingReply) => replace(conversationId, (replies) => [...replies, reply]),
  change: (conversationId: number, key: string, change: Partial<PendingReply>) =>
    replace(conversationId, (replies) => replies.map((reply) => (reply.key === key ? { ...reply, ...change } : reply))),
  remove(conversationId: number, key: string): void {
    const removed = byConversation.get(conversationId)?.find((reply) => reply.key === key);
    replace(conversationId, (replies) => replies.filter((reply) => reply.key !== key));
    if (removed !== undefined) revoke(removed);
  },
  forgetAll(): void {
    for (const reply of [...byConversation.values()].flat()) revoke(reply);
    byConversation.clear();
    announce();
  },
};

// They are of whoever wrote them, and end with the session.
onSessionChange(() => {
  if (getSession().token === null) pendingReplies.forgetAll();
});

export function usePendingReplies(conversationId: number): readonly PendingReply[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => byConversation.get(conversationId) ?? none,
  );
}
