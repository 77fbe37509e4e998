import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import type { RecordSearch } from './record-search.ts';

type Change = { [Key in keyof RecordSearch]?: RecordSearch[Key] | undefined };

/** Reads and changes the state of the record tables. */
export function useRecordSearch(): [search: RecordSearch, change: (change: Change) => void] {
  const search = useSearch({ from: '/shell/projects/$projectId' });
  return [search, useSearchChange().change];
}
