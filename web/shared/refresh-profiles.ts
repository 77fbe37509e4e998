import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from './queries.ts';

/** Refreshes everything that shows or counts profiles. */
export async function refreshProfiles(queryClient: QueryClient): Promise<void> {
  const keys = [
    queryKeys.profiles,
    queryKeys.segments,
    queryKeys.profileFields,
    queryKeys.profileTags,
    queryKeys.suppressions,
    queryKeys.timeline,
  ];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
