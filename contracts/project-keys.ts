import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, overlapHours, Timestamp } from './page.ts';
import { keyScopes } from './permissions.ts';
import { projectParams } from './projects.ts';

export const KeyScope = z.enum(keyScopes);

/** `media` is what `media:read` and `media:write` were together. */
const GrantedScopes = z
  .array(z.enum([...keyScopes, 'media']))
  .min(1, 'Choose at least one scope')
  .max(keyScopes.length + 1)
  .transform((scopes) => keyScopes.filter((each) => scopes.includes(each) || isMedia(each, scopes)));

const isMedia = (scope: string, granted: readonly string[]) => scope.startsWith('media:') && granted.includes('media');

/** A key of a project, for `x-auth-key`. Its scopes bound its use; the key itself is shown once. */
export const ProjectKey = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  hint: z.string().describe('How it begins, to know it by.'),
  scopes: z.array(KeyScope).describe('What the key may do.'),
  addresses: z.array(z.string()).describe('Addresses and networks from which alone it is taken; empty: from anywhere.'),
  expires_at: Timestamp.nullable().describe('When it ends; null: never.'),
  last_used_at: Timestamp.nullable().describe('To the minute; null: never used.'),
  no_longer: z
    .array(z.string())
    .describe('Sentences: what answers held for this key before scopes bounded them. Empty for newer keys.'),
  replaced_at: Timestamp.nullable().describe('When another took its place; it may go on for a while.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type ProjectKey = z.infer<typeof ProjectKey>;

export const NewProjectKeyAnswer = ProjectKey.extend({ key: z.string().describe('The key itself, shown this once.') });

const address = 'Enter an address or a network, such as 203.0.113.0/24';

export const NewProjectKey = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name')
    .max(120, 'Use at most 120 characters')
    .describe('Its name, for people.'),
  scopes: GrantedScopes.describe('What the key may do.'),
  expires_at: z.iso
    .datetime({ offset: true, error: 'Enter a date and time, ISO 8601' })
    .nullable()
    .optional()
    .describe('When it ends; null: never.'),
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], address))
    .max(50, 'Use at most 50 addresses')
    .optional()
    .describe('Addresses and networks from which alone it is taken; empty: from anywhere.'),
});
export type NewProjectKey = z.output<typeof NewProjectKey>;

export const listProjectKeys = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/keys',
  callers: ['user', 'api_key'],
  permission: 'projects:read',
  needsSubscription: true,
  summary: 'The keys of a project, newest first, and what is known of its auth key',
  params: projectParams,
  response: {
    200: z.object({
      data: z.array(ProjectKey).describe('The entries.'),
      auth_key: z
        .object({
          hint: z.string().describe('How it begins, to know it by.'),
          scopes: z.array(KeyScope).describe('What the key may do.'),
          last_used_at: Timestamp.nullable().describe('When it was used last; null: never.'),
        })
        .describe("The project's first key, with the scopes for messages."),
    }),
  },
});

export const createProjectKey = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/keys',
  audit: 'key.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'keys:write',
  needsSubscription: true,
  confirmsIdentity: true,
  summary: 'Make a key; the answer alone holds the key itself',
  params: projectParams,
  body: NewProjectKey,
  response: { 201: NewProjectKeyAnswer },
  errors: ['key_limit'],
});

const keyParams = z.object({ projectId: IdParam.describe('Which project.'), keyId: IdParam.describe('Which key.') });

export const rotateProjectKey = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/keys/{keyId}/rotate',
  audit: 'key.rotated',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'keys:write',
  needsSubscription: true,
  confirmsIdentity: true,
  summary: 'Make a key in the place of another, which ends at once, or after `overlap_hours`',
  params: keyParams,
  body: z.object({ overlap_hours: overlapHours(0).describe('How long the old one goes on, hours.') }),
  response: { 201: NewProjectKeyAnswer },
  errors: ['key_limit'],
});

export const deleteProjectKey = endpoint({
  method: 'DELETE',
  path: '/api/projects/{projectId}/keys/{keyId}',
  audit: 'key.deleted',
  callers: ['user', 'api_key'],
  permission: 'keys:write',
  needsSubscription: true,
  summary: 'Delete a key; it stops at once',
  params: keyParams,
  response: { 204: undefined },
});
