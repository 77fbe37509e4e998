import type { ProjectChange } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { changeProject } from './change-project.ts';
import { getProject } from './get-project.ts';
import type { ProjectRow } from './tables.ts';

type UpdateProject = { projectId: number; change: ProjectChange };

export async function updateProject(ctx: AccountContext, { projectId, change }: UpdateProject): Promise<ProjectRow> {
  if (change.name === undefined) return getProject(ctx, projectId);
  return changeProject(ctx, projectId, { name: change.name });
}
