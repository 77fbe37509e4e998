import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useIsVisible } from '../use-is-visible.ts';

/** Marks as read what has been seen: the newest message is in sight, in a page that is. */
export function useReadOnSight(
  { id: conversationId, unread_count: unread }: Pick<Conversation, 'id' | 'unread_count'>,
  { newestId, isInSight }: { newestId: number | undefined; isInSight: boolean },
): { leaveUnread: () => void } {
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const [leftAt, setLeftAt] = useState<number>();
  const isWanted = unread > 0 && newestId !== undefined && isInSight && isVisible && leftAt !== newestId;
  useEffect(() => {
    if (!isWanted || newestId === undefined) return;
    const call = { params: { conversationId }, body: { read: true, read_up_to: newestId } };
    callApi('PATCH /api/conversations/{conversationId}', call)
      .then(() => queryClient.invalidateQueries({ queryKey: queryKeys.conversations }))
      .catch((error: unknown) => logFailure('A conversation was not marked as read.', error));
  }, [isWanted, newestId, conversationId, queryClient]);
  /** Until something new arrives. */
  return { leaveUnread: () => setLeftAt(newestId) };
}
