import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Box, Shapes, UserRound } from 'lucide-react';
import { segmentsQuery } from '#web/features/segments/segment-queries.ts';
import { callApi } from '#web/shared/api.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import type { Command } from './commands.tsx';
import type { RecentCommand } from './recent-commands.ts';

const pauseMs = 200;
const maxProfiles = 6;

/** The account's own things as commands: projects and segments by their name, profiles as the server finds them. */
export function useFoundCommands(query: string) {
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: segments } = useQuery(segmentsQuery({}));
  const profiles = useProfiles(query.trim());
  const navigate = useNavigate();
  const format = usePhoneFormat();

  const goToProfile = (id: string) => () => void navigate({ to: paths.profile, params: { profileId: id } });

  return {
    hasProject: projects.length > 0,
    projects: projects.map(({ id, name }): Command => ({
      id: `project:${id}`,
      label: name,
      words: 'project',
      icon: <Box />,
      run: () => void navigate({ to: paths.project, params: { projectId: String(id) } }),
    })),
    segments: (segments?.data ?? []).map(({ id, name }): Command => ({
      id: `segment:${id}`,
      label: name,
      words: 'segment',
      icon: <Shapes />,
      run: () => void navigate({ to: paths.segments, search: { edit: id } }),
    })),
    profiles: profiles.found.map(({ id, name, phone }): Command => ({
      id: `profile:${id}`,
      label: name ?? format(phone),
      ...(name !== null && { aside: format(phone) }),
      icon: <UserRound />,
      run: goToProfile(String(id)),
    })),
    isSearching: profiles.isSearching,
    hasFailed: profiles.hasFailed,
    /** A profile that was chosen before; it is not listed unless it is searched for. */
    recentProfile: ({ id, label }: RecentCommand): Command => ({
      id,
      label,
      icon: <UserRound />,
      run: goToProfile(id.slice('profile:'.length)),
    }),
  };
}

function useProfiles(text: string) {
  const search = useDebounced(text, pauseMs);
  const query = { page: 1, pageSize: maxProfiles, search };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.profiles, 'found', search],
    queryFn: search === '' ? skipToken : ({ signal }) => callApi('GET /api/profiles', { query }, { signal }),
  });
  const isSearching = text !== '' && (text !== search || (isFetching && (data === undefined || isPlaceholderData)));
  return { found: text === '' ? [] : (data?.data ?? []), isSearching, hasFailed: text !== '' && error !== null };
}
