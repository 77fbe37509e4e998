import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useIsVisible } from '../use-is-visible.ts';

/** Before the minute is over for which the server takes somebody to be there. */
const hereEveryMs = 40_000;
/** Before the 15 seconds are over for which one word of it holds. */
const typingEveryMs = 8_000;
const stoppedAfterMs = 5_000;

/**
 * Tells the server that somebody has the conversation open, and types, where the project shows it: a word every few
 * seconds at the most, and one when they stop.
 */
export function useShowTyping({ id, project_id: projectId }: Pick<Conversation, 'id' | 'project_id'>): {
  onText: (text: string) => void;
} {
  const { data: projects } = useQuery(projectsQuery());
  const isVisible = useIsVisible();
  const isShown = isVisible && projects?.find((project) => project.id === projectId)?.typing_indicators === true;
  const typedAt = useRef<number>(undefined);
  const stops = useRef<ReturnType<typeof setTimeout>>(undefined);

  const say = useCallback(
    (typing: boolean) => {
      typedAt.current = typing ? performance.now() : undefined;
      callApi('PUT /api/conversations/{conversationId}/typing', {
        params: { conversationId: id },
        body: { typing },
      }).catch((error: unknown) => logFailure('That somebody is typing was not told.', error));
    },
    [id],
  );

  useEffect(() => {
    if (!isShown) return;
    say(false);
    const here = setInterval(() => {
      if (typedAt.current === undefined) say(false);
    }, hereEveryMs);
    return () => {
      clearInterval(here);
      clearTimeout(stops.current);
      // Leaving the page amid a word ends the typing.
      if (typedAt.current !== undefined) say(false);
    };
  }, [isShown, say]);

  const onText = useCallback(
    (text: string) => {
      if (!isShown) return;
      clearTimeout(stops.current);
      if (text.trim() === '') {
        if (typedAt.current !== undefined) say(false);
        return;
      }
      const isDue = typedAt.current === undefined || performance.now() - typedAt.current >= typingEveryMs;
      if (isDue) say(true);
      stops.current = setTimeout(() => say(false), stoppedAfterMs);
    },
    [isShown, say],
  );
  return { onText };
}
