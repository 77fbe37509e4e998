import { hashKey } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from '#contracts/live.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { noteOnline } from '#web/shared/online.ts';
import { noteTyping } from '#web/shared/typing.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** While news streams in, a page asks again this often at the most. */
const quietMs = 500;

/** Events after which the answer about the user holds something else: plan, role, projects. */
const tellsOfUser = new Set<LiveEvent['type']>(['subscription.changed', 'team.changed', 'resync']);

/** The queries that a change makes stale; all of them for a `resync`. */
function staleKeys(event: LiveEvent): readonly QueryKey[] {
  switch (event.type) {
    case 'messages.changed':
      return [
        queryKeys.messages(event.project_id),
        queryKeys.allMessages,
        queryKeys.thread(event.project_id),
        queryKeys.conversationList(event.project_id),
        queryKeys.dailyCounts,
        queryKeys.profileMessages,
        queryKeys.timeline,
        queryKeys.phoneNumbers(event.project_id),
        queryKeys.phones,
      ];
    case 'conversations.changed':
      return [
        queryKeys.conversations,
        queryKeys.conversationList(event.project_id),
        queryKeys.labels(event.project_id),
        queryKeys.timeline,
      ];
    case 'conversations.presence':
      return [queryKeys.presence(event.conversation_id)];
    // There is nothing to ask for.
    case 'conversations.typing':
    case 'conversations.online':
      return [];
    case 'phones.changed':
      return [
        queryKeys.phoneNumbers(event.project_id),
        queryKeys.phone(event.phone_id),
        queryKeys.projects,
        queryKeys.conversations,
      ];
    case 'projects.changed':
      return [queryKeys.projects];
    case 'webhooks.changed':
      return [queryKeys.webhooks(event.project_id)];
    case 'campaigns.changed':
      return [queryKeys.campaigns];
    case 'flows.changed':
      return [queryKeys.flows];
    case 'bulk_runs.changed':
      return [queryKeys.bulkRuns];
    case 'suppressions.changed':
      return [queryKeys.suppressions, queryKeys.profiles, queryKeys.timeline];
    case 'whatsapp_templates.changed':
      return [queryKeys.whatsappTemplates];
    case 'events.changed':
      return [queryKeys.events, queryKeys.timeline];
    case 'notifications.changed':
      return [queryKeys.notifications];
    case 'team.changed':
      return [queryKeys.team, queryKeys.allAssignees, queryKeys.conversations];
    case 'alerts.changed':
      return [queryKeys.alerts];
    case 'subscription.changed':
      return [queryKeys.payments];
    case 'resync':
      return [[]];
    // Of a release after this page's.
    default:
      return [];
  }
}

function askAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  // A first load that is under way may have been answered before the change, and an invalidation only joins it.
  const firstLoads = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  for (const { promise, queryKey: exactly } of firstLoads) {
    void promise?.then(
      () => queryClient.invalidateQueries({ queryKey: exactly, exact: true }),
      () => undefined,
    );
  }
  void queryClient.invalidateQueries({ queryKey });
}

/** Applies live events: the first at once, those that follow soon after together, so that a bulk run asks seldom. */
export function createLiveEventApplier(queryClient: QueryClient): { apply(event: LiveEvent): void; stop(): void } {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    timer = undefined;
    if (waiting.size === 0) return;
    for (const queryKey of waiting.values()) askAgain(queryClient, queryKey);
    waiting.clear();
    timer = setTimeout(refresh, quietMs);
  }

  return {
    apply(event) {
      if (event.type === 'conversations.typing') noteTyping(event.conversation_id, event.is_typing);
      if (event.type === 'conversations.online')
        noteOnline(event.conversation_id, { isOnline: event.is_online, lastSeenAt: event.last_seen_at });
      // The message that was being typed has arrived.
      if (event.type === 'conversations.changed') noteTyping(event.conversation_id, false);
      for (const key of staleKeys(event)) waiting.set(hashKey(key), key);
      if (timer === undefined) refresh();
      if (tellsOfUser.has(event.type)) void refreshCurrentUser();
    },
    stop: () => clearTimeout(timer),
  };
}
