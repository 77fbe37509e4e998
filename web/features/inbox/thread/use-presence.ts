import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { PresentMember } from '#contracts/conversation-presence.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { useAssignees } from '../assignees.ts';
import { useIsVisible } from '../use-is-visible.ts';

/** Before the 30 seconds are over for which the server takes somebody to be there. */
const againMs = 12_000;
const stoppedAfterMs = 5_000;

const nobody: readonly PresentMember[] = [];

/** Says that the conversation is open here, and written in; answers which other members have it open. */
export function usePresence({ id: conversationId, project_id: projectId }: { id: number; project_id: number }) {
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const assignees = useAssignees(projectId);
  // Alone, there is nobody to tell.
  const isTold = isVisible && assignees.length > 1;
  const state = useRef<'looking' | 'writing'>('looking');
  const stops = useRef<ReturnType<typeof setTimeout>>(undefined);
  const queryKey = queryKeys.presence(conversationId);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callApi(
        'PUT /api/conversations/{conversationId}/presence',
        { params: { conversationId }, body: { state: state.current } },
        { signal },
      ),
    enabled: isTold,
    refetchInterval: againMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: noPlaceholder,
  });

  useEffect(() => {
    if (!isTold) return undefined;
    return () => {
      clearTimeout(stops.current);
      state.current = 'looking';
      callApi('PUT /api/conversations/{conversationId}/presence', {
        params: { conversationId },
        body: { state: 'gone' },
      }).catch((error: unknown) => logFailure('That a conversation was left was not told.', error));
    };
  }, [isTold, conversationId]);

  const say = useCallback(
    (next: 'looking' | 'writing') => {
      if (state.current === next) return;
      state.current = next;
      void queryClient.invalidateQueries({ queryKey: queryKeys.presence(conversationId) });
    },
    [queryClient, conversationId],
  );
  const onWrite = useCallback(
    (text: string) => {
      clearTimeout(stops.current);
      if (text.trim() === '') return say('looking');
      say('writing');
      stops.current = setTimeout(() => say('looking'), stoppedAfterMs);
    },
    [say],
  );
  return { others: isTold ? (data?.others ?? nobody) : nobody, onWrite };
}
