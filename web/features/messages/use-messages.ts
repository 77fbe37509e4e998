import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { useLivePages } from '#web/shared/live-pages.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { filterOf, type MessageSearch } from './message-search.ts';

const limit = 50;

/** The account's messages that match, newest first, and the names of those they went to and came from. */
export function useMessages(search: Omit<MessageSearch, 'message'>) {
  const query = { ...filterOf(search), limit };
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const pages = useLivePages({
    queryKey: [...queryKeys.allMessages, query],
    fetchPage: (after, signal) => callApi('GET /api/messages', { query: { ...query, after } }, { signal }),
    orderOf: ({ id }) => id,
    onPage: ({ profiles }) => {
      setNames((known) => new Map([...known, ...profiles.map(({ id, name }) => [id, name] as const)]));
    },
  });
  return { ...pages, nameOf: (profileId: number | null) => (profileId === null ? undefined : names.get(profileId)) };
}
