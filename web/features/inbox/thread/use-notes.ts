import { useEffect, useMemo } from 'react';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import { callApi } from '#web/shared/api.ts';
import { useLivePages } from '#web/shared/live-pages.ts';
import { queryKeys } from '#web/shared/queries.ts';

const limit = 100;
const none: readonly ConversationNote[] = [];

/** The notes on a conversation, newest first, as far back as messages are shown: from `since` on, or all of them. */
export function useNotes(conversationId: number, since: string | undefined): readonly ConversationNote[] {
  const pages = useLivePages({
    queryKey: [...queryKeys.conversations, conversationId, 'notes'],
    fetchPage: (after, signal) =>
      callApi(
        'GET /api/conversations/{conversationId}/notes',
        { params: { conversationId }, query: { after, limit } },
        { signal },
      ),
    orderOf: ({ id }) => id,
  });
  const { items = none, hasOlder, isLoadingOlder, olderError, loadOlder } = pages;
  const oldest = items.at(-1)?.created_at;
  const isShort = hasOlder && oldest !== undefined && (since === undefined || oldest > since);
  useEffect(() => {
    if (isShort && !isLoadingOlder && olderError === undefined) void loadOlder();
  }, [isShort, isLoadingOlder, olderError, loadOlder]);
  return useMemo(
    () => (since === undefined ? items : items.filter((note) => note.created_at >= since)),
    [items, since],
  );
}
