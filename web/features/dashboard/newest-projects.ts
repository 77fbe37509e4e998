import type { Project } from '#contracts/projects.ts';

const shownProjects = 5;

/** The five that were created last, the newest first. */
export function newestProjects(projects: readonly Project[]): readonly Project[] {
  return projects
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
    .slice(0, shownProjects);
}
