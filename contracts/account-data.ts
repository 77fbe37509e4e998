import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';

export const AccountExport = z.object({
  id: Id.describe('Its id.'),
  status: z
    .enum(['waiting', 'working', 'completed', 'failed', 'stopped', 'ended'])
    .describe('`stopped` by a person; `ended`: the archive was removed when its link ended.'),
  files: z.boolean().describe('Whether the archive holds the files of messages.'),
  started_by: z
    .object({ id: Id.describe('Its id.'), name: z.string().describe('Its name, for people.') })
    .nullable()
    .describe('Null once the person is gone.'),
  progress: z.number().min(0).max(1).describe('The part of the rows and files that is written: 0.5 is half of it.'),
  size: z.int().nonnegative().nullable().describe('Of the archive, in bytes; null until it is completed.'),
  url: z
    .string()
    .nullable()
    .describe(
      'Where the archive is downloaded, by whoever has the link; null unless it is completed, and to a session that ' +
        'has to confirm who it is.',
    ),
  error: z.string().nullable().describe('Why it failed, a sentence.'),
  created_at: Timestamp.describe('When it was made.'),
  finished_at: Timestamp.nullable().describe('When it was over; null until then.'),
  expires_at: Timestamp.nullable().describe('When the link ends and the archive is removed: after seven days.'),
});
export type AccountExport = z.infer<typeof AccountExport>;

const forOwnersAndAdmins = {
  callers: ['user'],
  permission: 'account:write',
  alsoNeeds: 'data:export',
  needsSubscription: false,
} as const;

const exportParams = z.object({ exportId: IdParam.describe('Which archive.') });

export const startAccountExport = endpoint({
  ...forOwnersAndAdmins,
  method: 'POST',
  path: '/api/account/export',
  audit: 'account.export_started',
  confirmsIdentity: true,
  summary:
    'Make an archive of everything in the account: a ZIP of CSV, JSON Lines and files, of at most 5 GiB. It is made in the ' +
    'background, begun anew up to twice where that breaks off, and a mail with a link for seven days goes to whoever asked',
  query: z.object({
    files: z.enum(['true', 'false']).default('true').describe('`false` leaves the files of messages out.'),
  }),
  response: { 202: AccountExport },
  errors: ['export_in_progress'],
});

export const listAccountExports = endpoint({
  ...forOwnersAndAdmins,
  method: 'GET',
  path: '/api/account/exports',
  summary: 'The archives of the last 90 days, the newest first',
  response: { 200: listOf(AccountExport) },
});

export const getAccountExport = endpoint({
  ...forOwnersAndAdmins,
  method: 'GET',
  path: '/api/account/exports/{exportId}',
  summary: 'An archive, and how far it has come',
  params: exportParams,
  response: { 200: AccountExport },
});

export const stopAccountExport = endpoint({
  ...forOwnersAndAdmins,
  method: 'DELETE',
  path: '/api/account/exports/{exportId}',
  audit: 'account.export_stopped',
  summary: 'Stop an archive that is being made, or remove one: its link ends',
  params: exportParams,
  response: { 204: undefined },
});

export const downloadAccountExport = endpoint({
  method: 'GET',
  path: '/api/account-exports/{archive}',
  callers: 'anyone',
  summary: 'The archive of a link; one range may be asked for, so that a download that broke off goes on',
  params: z.object({ archive: z.string().min(1).max(200).describe('What stands at the end of the link.') }),
  headers: z.object({
    range: z.string().max(200).optional().describe('One range, such as `bytes=1048576-`.'),
    'if-range': z.string().max(200).optional().describe('An `etag`: the whole archive comes where it is not that one.'),
  }),
  produces: '*/*',
  response: { 200: z.string(), 206: z.string() },
  errors: ['export_expired', 'range_not_satisfiable'],
});

export const AccountDeletion = z.object({
  deletes_at: Timestamp.nullable().describe('When the account is deleted; null: it stays.'),
});
export type AccountDeletion = z.infer<typeof AccountDeletion>;

const forOwners = { callers: ['user'], permission: 'owners:write', needsSubscription: false } as const;

export const deleteAccount = endpoint({
  ...forOwners,
  method: 'DELETE',
  path: '/api/account',
  audit: { act: 'account.deletion_began', row: 'around', intent: 'account.deletion_asked' },
  confirmsIdentity: true,
  summary:
    'Delete the account in 14 days. At once nothing is sent any more, keys stop, numbers are disconnected and the ' +
    'subscription is cancelled. Until then an owner can take it back, and exports can be made',
  response: { 202: AccountDeletion },
  errors: ['payments_unavailable', 'subscription_changing'],
});

export const keepAccount = endpoint({
  ...forOwners,
  method: 'POST',
  path: '/api/account/restore',
  audit: 'account.deletion_taken_back',
  summary: 'Take the deletion back. Keys work again, and numbers can be connected',
  response: { 200: AccountDeletion },
  errors: ['not_to_be_deleted'],
});

const profileParams = z.object({ profileId: IdParam.describe('Which profile.') });

export const exportProfile = endpoint({
  method: 'GET',
  path: '/api/profiles/{profileId}/export',
  callers: ['user', 'api_key'],
  permission: 'contacts:read',
  alsoNeeds: 'data:export',
  needsSubscription: true,
  summary: 'All that is known of one person, as JSON: for somebody who asks for their data',
  params: profileParams,
  produces: '*/*',
  response: { 200: z.string() },
});

export const eraseProfile = endpoint({
  method: 'POST',
  path: '/api/profiles/{profileId}/erase',
  callers: ['user', 'api_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  audit: { act: 'profile.erased', row: 'by_verb' },
  summary:
    'Forget one person: the contact, their messages, files, notes and events go, and cannot be brought back. Reports keep ' +
    'their counts. The number stays opted out as a fingerprint that nobody can read',
  params: profileParams,
  response: { 204: undefined },
});
