import type { Permission } from '#contracts/permissions.ts';
import { can } from '#contracts/roles.ts';
import { useSession } from './session.ts';

/**
 * The permission for changing a contact that is shown: a narrowed member does it where their role edits contacts. Apart from
 * the session, which every page fetches, as the table of roles brings zod.
 */
export function useNeededForContact(): Permission {
  const role = useSession().membership?.role;
  return role && can({ role, projectIds: null }, 'contacts:write') ? 'contacts:read' : 'contacts:write';
}
