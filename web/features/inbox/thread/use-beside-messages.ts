import { useEffect, useMemo } from 'react';
import { callApi } from '#web/shared/api.ts';
import { useLivePages } from '#web/shared/live-pages.ts';
import { queryKeys } from '#web/shared/queries.ts';

const limit = 100;

type Item = { id: number; created_at: string };
type Page<Of extends Item> = { data: Of[]; next_cursor: string | null };
type Fetch<Of extends Item> = (after: string | undefined, signal?: AbortSignal) => Promise<Page<Of>>;
type Asked = {
  conversationId: number;
  /** From when on messages are shown; undefined: all of them are. */
  since: string | undefined;
};

/** The notes on a conversation, newest first, as far back as messages are shown. */
export const useNotes = ({ conversationId, since }: Asked) =>
  useBeside([conversationId, 'notes'], since, (after, signal) =>
    callApi(
      'GET /api/conversations/{conversationId}/notes',
      { params: { conversationId }, query: { after, limit } },
      { signal },
    ),
  );

/** Changes of a conversation by members, newest first, as far back as messages are shown. */
export const useChanges = ({ conversationId, since }: Asked) =>
  useBeside([conversationId, 'changes'], since, (after, signal) =>
    callApi(
      'GET /api/conversations/{conversationId}/changes',
      { params: { conversationId }, query: { after, limit } },
      { signal },
    ),
  );

function useBeside<Of extends Item>(
  key: readonly unknown[],
  since: string | undefined,
  fetchPage: Fetch<Of>,
): readonly Of[] {
  const pages = useLivePages({ queryKey: [...queryKeys.conversations, ...key], fetchPage, orderOf: ({ id }) => id });
  const { items, hasOlder, isLoadingOlder, olderError, loadOlder } = pages;
  const oldest = items?.at(-1)?.created_at;
  const isShort = hasOlder && oldest !== undefined && (since === undefined || oldest > since);
  useEffect(() => {
    if (isShort && !isLoadingOlder && olderError === undefined) void loadOlder();
  }, [isShort, isLoadingOlder, olderError, loadOlder]);
  return useMemo(
    () => (items ?? []).filter(({ created_at: at }) => since === undefined || at >= since),
    [items, since],
  );
}
