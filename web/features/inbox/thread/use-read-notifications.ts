import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Notification } from '#contracts/notifications.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useIsVisible } from '../use-is-visible.ts';

type Bell = { data: readonly Notification[] };

/** Notifications of a conversation are read once that is open in a page in sight. */
export function useReadNotifications(conversationId: number): void {
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  // The bell's own answer; nothing is asked for here.
  const { data } = useQuery<Bell>({ queryKey: queryKeys.notifications, enabled: false });
  const isUnread = data?.data.some((each) => each.conversation_id === conversationId && each.read_at === null) === true;
  useEffect(() => {
    if (!isUnread || !isVisible) return;
    callApi('POST /api/notifications/read', { body: { conversation_id: conversationId } })
      .then(() => queryClient.invalidateQueries({ queryKey: queryKeys.notifications }))
      .catch((error: unknown) => logFailure('Notifications were not marked as read.', error));
  }, [conversationId, isUnread, isVisible, queryClient]);
}
