import type { ProjectChange } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { changeProject } from './change-project.ts';
import { getProject } from './get-project.ts';
import type { ProjectRow } from './tables.ts';

type UpdateProject = { projectId: number; change: ProjectChange };

export async function updateProject(ctx: AccountContext, { projectId, change }: UpdateProject): Promise<ProjectRow> {
  const { name, sticky_sender: isSticky, read_receipts: marksRead, typing_indicators: showsTyping } = change;
  const { media_kept_days: keptDays, direct_first_contacts: firstContacts, import_history: importsHistory } = change;
  if (Object.values(change).every((value) => value === undefined)) return getProject(ctx, projectId);
  return changeProject(ctx, projectId, {
    ...(name !== undefined && { name }),
    ...(isSticky !== undefined && { is_sticky: isSticky }),
    ...(firstContacts !== undefined && { direct_first_contacts: firstContacts }),
    ...(marksRead !== undefined && { marks_read: marksRead }),
    ...(showsTyping !== undefined && { shows_typing: showsTyping }),
    ...(importsHistory !== undefined && { imports_history: importsHistory }),
    ...(keptDays !== undefined && { media_kept_days: keptDays }),
  });
}
