import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** A project that the server has just answered replaces the one shown, here and in the list. */
export function useShowProject() {
  const queryClient = useQueryClient();
  return (project: Project): void => {
    queryClient.setQueryData(queryKeys.project(project.id), project);
    queryClient.setQueryData<Project[]>(queryKeys.projects, (projects) =>
      projects?.map((listed) => (listed.id === project.id ? project : listed)),
    );
  };
}
