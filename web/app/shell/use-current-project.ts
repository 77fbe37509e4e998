import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { projectsQuery } from '#web/shared/queries.ts';
import { setCurrentProject, useSession } from '#web/shared/session.ts';

/** The first project loaded becomes the current one if none is set, or if the one set is gone. */
export function useCurrentProject(): void {
  const { data: projects, isPlaceholderData } = useQuery(projectsQuery());
  const { currentProjectId } = useSession();
  useEffect(() => {
    if (projects === undefined || isPlaceholderData) return;
    if (projects.some((project) => project.id === currentProjectId)) return;
    setCurrentProject(projects[0]?.id ?? null);
  }, [projects, isPlaceholderData, currentProjectId]);
}
