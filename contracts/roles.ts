import { z } from 'zod';
import { permissions } from './permissions.ts';
import type { Permission } from './permissions.ts';

export const roles = ['owner', 'admin', 'marketer', 'agent', 'developer', 'viewer'] as const;

export const Role = z
  .enum(roles)
  .describe('What a member may do: the guide to keys and people says what each role allows.');
export type Role = z.infer<typeof Role>;

/** The permissions of every member: to read the account, and to manage their own user. */
const everyMember = [
  'messages:read',
  'media:read',
  'contacts:read',
  'templates:read',
  'projects:read',
  'phones:read',
  'account:read',
  'team:read',
  'self:read',
  'self:write',
] as const;

/** The permissions of each role; the server decides by this table, and the pages ask it. */
const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  admin: permissions.filter((permission) => !permission.startsWith('billing:') && permission !== 'owners:write'),
  marketer: [
    ...everyMember,
    'messages:send',
    'media:write',
    'contacts:write',
    'events:write',
    'campaigns:read',
    'campaigns:write',
    'templates:write',
    'bulk-actions:write',
    'views:write',
    'data:export',
  ],
  agent: [...everyMember, 'messages:send', 'media:write', 'contacts:write', 'bulk-actions:write', 'views:write'],
  developer: [
    ...everyMember,
    'messages:send',
    'media:write',
    'events:write',
    'webhooks:read',
    'webhooks:write',
    'keys:write',
    'sandboxes:write',
    'views:write',
  ],
  viewer: [...everyMember, 'campaigns:read', 'webhooks:read'],
};

/** Permissions that concern all projects of an account: a member who is narrowed to some of them has none of these. */
const acrossProjects: readonly Permission[] = [
  'contacts:write',
  'events:write',
  'templates:write',
  'projects:write',
  'billing:read',
  'billing:write',
  'account:write',
  'bulk-actions:write',
  'views:write',
  'audit:read',
  'team:read',
  'team:write',
  'owners:write',
];

type Membership = { role: Role; projectIds: readonly number[] | null };

/** Whether a member may do something at all; which projects they see is the server's `scopeOf`. */
export function can({ role, projectIds }: Membership, permission: Permission): boolean {
  if (projectIds !== null && acrossProjects.includes(permission)) return false;
  return permissionsOfRole[role].includes(permission);
}

export const permissionsOf = (member: Membership): Permission[] =>
  permissions.filter((permission) => can(member, permission));

export const rolesThatMay = (permission: Permission): Role[] =>
  roles.filter((role) => can({ role, projectIds: null }, permission));

/** For the invitation and the documentation. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, billing and deleting the account too.',
  admin: 'Everything but billing and deleting the account.',
  marketer: 'Campaigns, flows, segments, templates and bulk runs. No keys, no numbers.',
  agent: 'Answers in the inbox and edits contacts. Sends nothing in bulk.',
  developer: 'Keys, webhooks, logs and sandboxes, and sending. Exports no contacts.',
  viewer: 'Looks at messages, figures and reports. Changes and exports nothing.',
};
