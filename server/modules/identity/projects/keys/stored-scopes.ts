import { keyScopes } from '#contracts/permissions.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import type { StoredScope } from '../tables.ts';

type Stored = { scopes: readonly StoredScope[]; scopes_version: number };

/** From this version on templates have scopes of their own. */
const scopesVersion = 2;

/** The release before knows `media` alone: a key made here works there, too. */
export function storedScopes(scopes: readonly KeyScope[]): { scopes: StoredScope[]; scopes_version: number } {
  const hasMedia = scopes.includes('media:read') && scopes.includes('media:write');
  return { scopes: hasMedia ? [...scopes, 'media'] : [...scopes], scopes_version: scopesVersion };
}

/** The scopes of a key that somebody makes: one that may not export gives the key no more. */
export const withinExports = (scopes: readonly StoredScope[], mayExport: boolean): StoredScope[] => [
  ...scopes.filter((scope) => scope !== 'no_export'),
  ...(mayExport ? [] : (['no_export'] as const)),
];

/** A key from before keeps the templates that campaigns covered. */
export function readScopes({ scopes, scopes_version: version }: Stored): KeyScope[] {
  const covered: Readonly<Partial<Record<KeyScope, StoredScope>>> = {
    'media:read': 'media',
    'media:write': 'media',
    ...(version < scopesVersion && { 'templates:read': 'campaigns:read', 'templates:write': 'campaigns:write' }),
  };
  return keyScopes.filter((scope) => [scope, covered[scope]].some((each) => each && scopes.includes(each)));
}

/** Sentences: what answers held for a key from before scopes bounded them. */
export function noLonger({ scopes, scopes_version: version }: Stored): string[] {
  if (version >= scopesVersion) return [];
  const has = (scope: KeyScope) => scopes.includes(scope);
  const hasMessages = has('messages:read');
  return [
    has('messages:send') && !hasMessages && 'Names and texts of conversations and cancelled messages (messages:read)',
    has('webhooks:read') && !hasMessages && 'What webhook records and events hold (messages:read)',
    (has('webhooks:read') || has('webhooks:write')) && 'Signing secrets of endpoints that exist (a session alone)',
    has('campaigns:read') && !hasMessages && "Texts of flows' deliveries (messages:read)",
    has('campaigns:read') && !has('contacts:read') && 'Previews, counts and names of contacts (contacts:read)',
    has('contacts:write') && !has('contacts:read') && 'Contacts and segments as a change leaves them (contacts:read)',
    has('campaigns:write') && !has('campaigns:read') && 'Campaigns and flows as a change leaves them (campaigns:read)',
  ].filter((sentence) => sentence !== false);
}
