import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RecordSearch } from './record-search.ts';

type Change = { [Key in keyof RecordSearch]?: RecordSearch[Key] | undefined };

/** Reads and changes the state of the record tables. */
export function useRecordSearch(): [search: RecordSearch, change: (change: Change) => void] {
  const search = useSearch({ from: '/shell/projects/$projectId' });
  const navigate = useNavigate({ from: '/projects/$projectId' });

  function change(next: Change): void {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, ...next }) as RecordSearch,
      replace: true,
      resetScroll: false,
    });
  }

  return [search, change];
}
