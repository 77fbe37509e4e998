import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** A link of a campaign, a flow or a bulk run. */
export const LinkReport = z.object({
  url: z.string().describe('Where it leads.'),
  clicked: z.int().nonnegative().describe('How many people opened it, each counted once a message.'),
});
export type LinkReport = z.infer<typeof LinkReport>;

export const LinkSettings = z.object({
  domain: z.string().nullable().describe('A domain of your own that leads to this server; null: none.'),
  default_url: z.string().describe('Where short addresses stand without one.'),
});
export type LinkSettings = z.infer<typeof LinkSettings>;

const Domain = z
  .string('Enter a domain')
  .trim()
  .toLowerCase()
  .max(200, 'Use at most 200 characters')
  .regex(/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/, 'Enter a domain alone, such as go.example.com');

export const getLinkSettings = endpoint({
  method: 'GET',
  path: '/api/link-settings',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'Where the short addresses of `{link:https://…}` stand',
  response: { 200: LinkSettings },
});

export const putLinkSettings = endpoint({
  method: 'PUT',
  path: '/api/link-settings',
  audit: 'link_settings.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  acrossProjects: true,
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary:
    'A domain of your own for short addresses: it has to lead to this server, by https, and `/l/test` on it says so. ' +
    'What was sent before keeps its address',
  body: z.object({ domain: Domain.nullable().describe('A domain alone, such as go.example.com; null for none.') }),
  response: { 200: LinkSettings },
});
