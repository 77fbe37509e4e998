import { z } from 'zod';
import { permissions } from './permissions.ts';
import type { Permission } from './permissions.ts';

export const roles = ['owner', 'admin', 'marketer', 'agent', 'developer', 'viewer'] as const;

export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** The permissions of each role; the server decides by this table, and the pages ask it. */
export const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  admin: permissions.filter((permission) => !permission.startsWith('billing:')),
  marketer: [
    'messages:send',
    'messages:read',
    'media:read',
    'media:write',
    'contacts:read',
    'contacts:write',
    'campaigns:read',
    'campaigns:write',
    'templates:read',
    'templates:write',
    'projects:read',
    'phones:read',
    'account:read',
  ],
  agent: [
    'messages:send',
    'messages:read',
    'media:read',
    'media:write',
    'contacts:read',
    'contacts:write',
    'templates:read',
    'projects:read',
    'phones:read',
    'account:read',
  ],
  developer: [
    'messages:send',
    'messages:read',
    'media:read',
    'media:write',
    'contacts:read',
    'templates:read',
    'webhooks:read',
    'webhooks:write',
    'projects:read',
    'phones:read',
    'account:read',
  ],
  viewer: [
    'messages:read',
    'media:read',
    'contacts:read',
    'campaigns:read',
    'templates:read',
    'projects:read',
    'phones:read',
    'account:read',
  ],
};

export const can = (role: Role, permission: Permission): boolean => permissionsOfRole[role].includes(permission);

export const rolesThatMay = (permission: Permission): Role[] => roles.filter((role) => can(role, permission));
