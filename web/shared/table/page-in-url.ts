import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Paging } from './column.ts';

/** A route's `validateSearch` for tables paged in the URL: each key is a page from 2 on, else absent. */
export function pagesInUrl<Key extends string>(...keys: readonly Key[]) {
  return (search: Record<string, unknown>): Partial<Record<Key, number>> => {
    const pages: Partial<Record<Key, number>> = {};
    for (const key of keys) {
      const page = Number(search[key]);
      if (Number.isInteger(page) && page > 1 && page <= 1_000_000) pages[key] = page;
    }
    return pages;
  };
}

/** The page of a table, kept in the URL under `key`; the route lists the key in `pagesInUrl`. */
export function usePageInUrl(key: string): [page: number, onPage: Paging['onPage']] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const page = typeof search[key] === 'number' ? search[key] : 1;

  function onPage(next: number, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({ ...previous, [key]: next > 1 ? next : undefined }),
      resetScroll: false,
      replace,
    } as Parameters<typeof navigate>[0]);
  }

  return [page, onPage];
}
