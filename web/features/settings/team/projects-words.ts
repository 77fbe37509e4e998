import type { Project } from '#contracts/projects.ts';

/** Which projects a member sees, in few words. */
export function projectsWords(projectIds: readonly number[] | null, projects: readonly Project[]): string {
  if (projectIds === null) return 'All projects';
  const [first] = projectIds;
  const only = projectIds.length === 1 ? projects.find(({ id }) => id === first)?.name : undefined;
  return only ?? `${projectIds.length} of ${Math.max(projects.length, projectIds.length)} projects`;
}
