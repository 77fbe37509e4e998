import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ProfileSearch } from './profile-search.ts';

type Change = { [Key in keyof ProfileSearch]?: ProfileSearch[Key] | undefined };

/** What the table of profiles shows, and how to show something else. */
export function useProfileSearch(): [search: ProfileSearch, change: (change: Change) => void] {
  const search = useSearch({ from: '/shell/profiles' });
  const navigate = useNavigate({ from: '/profiles' });

  function change(next: Change): void {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, ...next }) as ProfileSearch,
      replace: true,
      resetScroll: false,
    });
  }

  return [search, change];
}
