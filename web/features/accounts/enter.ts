import type { Role } from '#contracts/roles.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { paths } from '#web/shared/paths.ts';
import { setCurrentProject } from '#web/shared/session.ts';

/** Agents begin where they work. */
export async function enter(role: Role): Promise<void> {
  setCurrentProject(null);
  await refreshCurrentUser();
  location.assign(role === 'agent' ? paths.inbox : paths.dashboard);
}
