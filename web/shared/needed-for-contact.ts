import type { Permission } from '#contracts/permissions.ts';
import { can } from '#contracts/roles.ts';
import { useSession } from './session.ts';

/** The permission for changing a contact that is shown: a narrowed member does it where their role edits contacts. */
export function useNeededForContact(): Permission {
  const role = useSession().membership?.role;
  return role && can({ role, projectIds: null }, 'contacts:write') ? 'contacts:read' : 'contacts:write';
}
