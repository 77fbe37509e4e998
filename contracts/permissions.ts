/**
 * What a project's key may be granted. Its auth key has the messaging ones; `campaigns` covers flows, `contacts` the
 * account's profiles, imports and segments.
 */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'media',
  'contacts:read',
  'contacts:write',
  'campaigns:read',
  'campaigns:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type KeyScope = (typeof keyScopes)[number];

/** What people and the account's api_key may be granted besides. */
const accountPermissions = [
  'projects:read',
  'projects:write',
  'phones:read',
  'phones:write',
  'billing:read',
  'billing:write',
  'account:read',
  'account:write',
] as const;

/** Every permission an endpoint can need, written `<things>:<what is done>`. */
export const permissions = [...keyScopes, ...accountPermissions] as const;

export type Permission = (typeof permissions)[number];
