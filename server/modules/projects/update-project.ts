import type { ProjectChange } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { changeProject } from './change-project.ts';
import { getProject } from './get-project.ts';
import type { ProjectRow } from './tables.ts';

type UpdateProject = { projectId: number; change: ProjectChange };

export async function updateProject(ctx: AccountContext, { projectId, change }: UpdateProject): Promise<ProjectRow> {
  const { name, sticky_sender: isSticky } = change;
  if (name === undefined && isSticky === undefined) return getProject(ctx, projectId);
  return changeProject(ctx, projectId, {
    ...(name !== undefined && { name }),
    ...(isSticky !== undefined && { is_sticky: isSticky }),
  });
}
