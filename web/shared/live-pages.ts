import { queryOptions, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { noPlaceholder } from './queries.ts';

type Page<Item> = { data: readonly Item[]; next_cursor: string | null };

type ItemOf<Answer extends Page<{ id: number }>> = Answer['data'][number];

type LivePagesOptions<Answer extends Page<{ id: number }>> = {
  queryKey: QueryKey;
  fetchPage: (after: string | undefined, signal?: AbortSignal) => Promise<Answer>;
  /** Grows with what comes first in the list. */
  orderOf: (item: ItemOf<Answer>) => number;
  enabled?: boolean;
  /** Called with every page that comes. */
  onPage?: (page: Answer) => void;
};

/** Items that were fetched, by their ids, and where the older ones begin: null where there are none. */
type Known<Item> = { items: ReadonlyMap<number, Item>; cursor: string | null };

/**
 * A list of any length, newest first: its first page follows live events, older ones come as they are asked for. An item
 * of the first page's span that is no longer on it is gone. Give a component that shows another list another `key`.
 */
export function useLivePages<Answer extends Page<{ id: number }>>({
  queryKey,
  fetchPage,
  orderOf,
  enabled = true,
  onPage,
}: LivePagesOptions<Answer>) {
  type Item = ItemOf<Answer>;
  const queryClient = useQueryClient();
  const newest = queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await fetchPage(undefined, signal);
      onPage?.(page);
      return page;
    },
    placeholderData: noPlaceholder,
  });
  const { data, error, refetch, isFetching } = useQuery({ ...newest, enabled });
  const [older, setOlder] = useState<Known<Item>>();
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  const [olderError, setOlderError] = useState<unknown>();
  const merged = useRef<{ from: unknown; known: Known<Item> | undefined }>({ from: undefined, known: undefined });

  const known = useMemo(() => {
    if (data === undefined) return undefined;
    const before = merged.current.known;
    const next = merge<Item>({ page: data, older, before, orderOf });
    merged.current = { from: data, known: next };
    return next;
    // oxlint-disable-next-line react/exhaustive-deps -- the order is the same for the life of a list
  }, [data, older]);
  const items = useMemo(
    () => (known === undefined ? undefined : [...known.items.values()].toSorted((a, b) => orderOf(b) - orderOf(a))),
    // oxlint-disable-next-line react/exhaustive-deps -- as above
    [known],
  );

  const cursor = known?.cursor ?? null;
  const isBusy = useRef(false);
  const loadOlder = useCallback(async () => {
    if (cursor === null || isBusy.current) return;
    isBusy.current = true;
    setLoadingOlder(true);
    setOlderError(undefined);
    try {
      const page = await fetchPage(cursor);
      onPage?.(page);
      setOlder((previous) => ({
        items: new Map([...(previous?.items ?? []), ...page.data.map((item) => [item.id, item] as const)]),
        cursor: page.next_cursor,
      }));
    } catch (failure) {
      setOlderError(failure);
    } finally {
      isBusy.current = false;
      setLoadingOlder(false);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- what fetches a page is the same for the life of a list
  }, [cursor]);

  /** Shows an item before the next answer has it, or as it has become. */
  function put(item: Item): void {
    setOlder((previous) => previous && { ...previous, items: replaced(previous.items, item) });
    queryClient.setQueryData<Answer>(queryKey, (page) => {
      if (page === undefined) return page;
      return { ...page, data: [item, ...page.data.filter(({ id }) => id !== item.id)] };
    });
  }

  return {
    items,
    error: items === undefined ? error : null,
    isStale: error !== null && items !== undefined,
    isFetching,
    refetch,
    hasOlder: cursor !== null,
    isLoadingOlder,
    olderError,
    loadOlder,
    put,
  };
}

const replaced = <Item extends { id: number }>(items: ReadonlyMap<number, Item>, item: Item) =>
  items.has(item.id) ? new Map([...items, [item.id, item] as const]) : items;

type Merge<Item> = {
  page: Page<Item>;
  older: Known<Item> | undefined;
  before: Known<Item> | undefined;
  orderOf: (item: Item) => number;
};

/** The first page over what is known of later ones. After a gap, what lies beyond it is fetched anew. */
export function merge<Item extends { id: number }>({ page, older, before, orderOf }: Merge<Item>): Known<Item> {
  const first = new Map(page.data.map((item) => [item.id, item] as const));
  const isGap = before !== undefined && before.items.size > 0 && page.data.every(({ id }) => !before.items.has(id));
  if (isGap || page.next_cursor === null) return { items: first, cursor: page.next_cursor };
  const lowest = Math.min(...page.data.map(orderOf));
  const beyond = [...(before?.items ?? []), ...(older?.items ?? [])].filter(
    ([id, item]) => !first.has(id) && orderOf(item) < lowest,
  );
  return { items: new Map([...beyond, ...first]), cursor: cursorOf(page, older, before) };
}

/** The older pages say where the next one begins; without any, what has slid off the first page needs no fetching. */
function cursorOf<Item>(page: Page<Item>, older: Known<Item> | undefined, before: Known<Item> | undefined) {
  if (older !== undefined) return older.cursor;
  return before === undefined ? page.next_cursor : before.cursor;
}
