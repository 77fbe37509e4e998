import { useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { useLivePages } from '#web/shared/live-pages.ts';
import { useMentionNames } from '#web/shared/message/mentions.tsx';
import { queryKeys } from '#web/shared/queries.ts';

const limit = 50;

/** The messages of a conversation, newest first, and those that they answer. */
export function useThread({ projectId, conversationId }: { projectId: number; conversationId: number }) {
  const [quoted, setQuoted] = useState<ReadonlyMap<number, Message>>(new Map());
  const { mentionNames, nameMentions } = useMentionNames();
  const pages = useLivePages({
    queryKey: [...queryKeys.thread(projectId), conversationId],
    fetchPage: (after, signal) =>
      callApi(
        'GET /api/conversations/{conversationId}/messages',
        { params: { conversationId }, query: { after, limit } },
        { signal },
      ),
    orderOf: ({ id }) => id,
    // oxlint-disable-next-line typescript/no-useless-default-assignment -- a server of the release before names nobody
    onPage: ({ quoted: more, mentioned = [] }) => {
      nameMentions(mentioned);
      if (more.length > 0) setQuoted((known) => new Map([...known, ...more.map((each) => [each.id, each] as const)]));
    },
  });
  const byId = (id: number) => pages.items?.find((message) => message.id === id) ?? quoted.get(id);
  return { ...pages, byId, mentionNames, nameMentions };
}
