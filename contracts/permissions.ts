/**
 * The scopes that a project's key may be granted. Its auth key has `authKeyScopes`; `campaigns` covers flows and bulk
 * runs, `contacts` the account's profiles, segments, tags, imports and suppressions, `events` who people are and what
 * they do. A scope bounds what answers hold
 * as well as which endpoints open: `withheldWithout` has the fields.
 */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'media:read',
  'media:write',
  'contacts:read',
  'contacts:write',
  'events:write',
  'campaigns:read',
  'campaigns:write',
  'templates:read',
  'templates:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type KeyScope = (typeof keyScopes)[number];

/** Scopes with which a project's key reaches all contacts of the account: members narrowed to projects grant none of them. */
export const scopesOverAllContacts: readonly KeyScope[] = ['contacts:read', 'campaigns:write'];

/** The scopes of a project's own auth key. */
export const authKeyScopes: readonly KeyScope[] = [
  'messages:send',
  'messages:read',
  'media:read',
  'media:write',
  'templates:read',
  'templates:write',
];

/** Fields that are null, or empty where they are never null, in answers to callers without the permission. */
export const withheldWithout: readonly { permission: KeyScope | 'session'; things: string; fields: string }[] = [
  { permission: 'messages:read', things: 'Conversations', fields: '`name`, `labels` and `last_message`' },
  {
    permission: 'messages:read',
    things: 'A message that is sent, answered or cancelled',
    fields:
      '`profile_id`, and unless the caller brought them `to`, `message`, `media`, `location`, `contacts`, `reactions` and `metadata`',
  },
  { permission: 'messages:read', things: 'Webhook records', fields: '`payload`' },
  { permission: 'messages:read', things: 'Events of a project', fields: '`data`' },
  { permission: 'messages:read', things: 'Deliveries of a flow', fields: '`message`' },
  {
    permission: 'messages:read',
    things: 'The timeline of a profile',
    fields: '`text`, `source_name`, `author`, `evidence_text` and `clicks`',
  },
  { permission: 'contacts:read', things: 'Recipients of a campaign', fields: '`name`' },
  { permission: 'contacts:read', things: 'Deliveries of a flow', fields: '`profile_name`' },
  { permission: 'contacts:read', things: 'Campaigns', fields: '`segment_name`' },
  { permission: 'session', things: 'Webhook endpoints that exist', fields: '`secret`' },
];

/** Further permissions for people and the account's api_key. */
const accountPermissions = [
  'projects:read',
  'projects:write',
  'phones:read',
  'phones:write',
  'billing:read',
  'billing:write',
  'account:read',
  'account:write',
  'keys:write',
  'sandboxes:write',
  'bulk-actions:write',
  'views:write',
  'data:export',
  'audit:read',
  'team:read',
  'team:write',
  'owners:write',
  'self:read',
  'self:write',
] as const;

/** Every permission an endpoint can need, written `<things>:<what is done>`. */
export const permissions = [...keyScopes, ...accountPermissions] as const;

export type Permission = (typeof permissions)[number];

/** Sessions alone have these: the people of an account, and what it pays. */
const ofSessions: readonly Permission[] = ['team:read', 'team:write', 'owners:write', 'billing:write'];

/** The scopes that a key of an account may be granted, as far as its maker's role has them. */
export const accountKeyScopes = permissions.filter((permission) => !ofSessions.includes(permission));
