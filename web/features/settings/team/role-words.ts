import { roles } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  marketer: 'Marketer',
  agent: 'Agent',
  developer: 'Developer',
  viewer: 'Viewer',
};

/** The roles as options; only an owner gives the owner's. */
export function roleOptions(mayMakeOwners: boolean) {
  return roles.map((role) => ({ value: role, label: roleNames[role], disabled: role === 'owner' && !mayMakeOwners }));
}
