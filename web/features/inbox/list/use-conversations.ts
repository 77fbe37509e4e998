import type { ConversationFilter } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { useLivePages } from '#web/shared/live-pages.ts';
import { useMentionNames } from '#web/shared/message/mentions.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import type { InboxSearch } from '../inbox-search.ts';

const limit = 50;

/** The conversations of a project that are asked for, the latest first. */
export function useConversations(
  projectId: number,
  { status, assigned, label, search }: Pick<InboxSearch, 'status' | 'assigned' | 'label' | 'search'>,
) {
  const asked: ConversationFilter | undefined = status === 'all' ? undefined : (status ?? 'open');
  const query = { project_id: projectId, status: asked, assigned_to: assigned, label, search, limit };
  const { mentionNames, nameMentions } = useMentionNames();
  const pages = useLivePages({
    queryKey: [...queryKeys.conversationList(projectId), query],
    fetchPage: (after, signal) => callApi('GET /api/conversations', { query: { ...query, after } }, { signal }),
    orderOf: ({ last_message: message, last_message_at: at }) => message?.id ?? idAt(at),
    // oxlint-disable-next-line typescript/no-useless-default-assignment -- a server of the release before names nobody
    onPage: ({ mentioned = [] }) => nameMentions(mentioned),
  });
  return { ...pages, mentionNames };
}

const epochMs = Date.UTC(2026, 0, 1);

/** An id of that moment, to stand among those of messages: see the decision on record ids. */
const idAt = (iso: string) => (Date.parse(iso) - epochMs) * 4096;
