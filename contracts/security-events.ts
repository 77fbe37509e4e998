import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdCursor, IdParam, listOf, Timestamp } from './page.ts';

/** The events recorded about a person's safety, and kept for 90 days. */
export const personalEventTypes = [
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'locked_out',
  'signed_out',
  'session_ended',
  'signed_out_everywhere',
  'password_reset_requested',
  'password_reset',
  'password_changed',
  'email_confirmed',
  'email_change_requested',
  'email_changed',
  'two_factor_enabled',
  'two_factor_removed',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_replaced',
  'passkey_added',
  'passkey_removed',
  'identity_linked',
  'identity_unlinked',
] as const;
export type PersonalEventType = (typeof personalEventTypes)[number];

/** The same about an account: where its data may go. */
export const accountEventTypes = [
  'api_key_rotated',
  'api_key_shown',
  'account_key_created',
  'account_key_deleted',
  'auth_key_rotated',
  'project_key_created',
  'project_key_rotated',
  'project_key_deleted',
  'webhook_secret_rotated',
  'webhook_endpoint_added',
  'webhook_endpoint_changed',
  'webhook_endpoint_deleted',
  'proxy_changed',
  'data_exported',
  'retention_changed',
  'two_factor_demanded',
  'two_factor_not_demanded',
] as const;
export type AccountEventType = (typeof accountEventTypes)[number];

export const securityEventTypes = [...personalEventTypes, ...accountEventTypes] as const;

export const SecurityEventType = z.enum(securityEventTypes);
export type SecurityEventType = z.infer<typeof SecurityEventType>;

export const SecurityEvent = z.object({
  id: Id.describe('Its id.'),
  type: SecurityEventType.describe('What kind it is.'),
  created_at: Timestamp.describe('When it was made.'),
  ip: z.string().nullable().describe('Where the request came from.'),
  user_agent: z.string().nullable().describe('What browser or program it was.'),
  detail: z.string().nullable().describe("What it was about, such as the new address or the project's name."),
  repeats: z.int().nonnegative().describe('How often more the like came, once 20 of a type are written down in a day.'),
  last_at: Timestamp.nullable().describe('When it came for the last time; null where it came once.'),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const AccountSession = z.object({
  id: Id.describe('Its id.'),
  created_at: Timestamp.describe('When it was made.'),
  last_used_at: Timestamp.describe('To the hour.'),
  ip: z.string().nullable().describe('Where the request came from.'),
  user_agent: z.string().nullable().describe('What browser or program it was.'),
  current: z.boolean().describe('Whether it is the session that asks.'),
});
export type AccountSession = z.infer<typeof AccountSession>;

export const listSecurityEvents = endpoint({
  method: 'GET',
  path: '/api/user/security-events',
  reads: 'page',
  callers: ['user'],
  permission: 'self:read',
  needsSubscription: false,
  summary: 'Sign-ins and changes of keys, password and address of the last 90 days, newest first, 50 a page',
  query: z.object({
    after: IdCursor,
  }),
  response: {
    200: z.object({
      data: z.array(SecurityEvent).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  reads: 'page',
  callers: ['user'],
  permission: 'self:read',
  needsSubscription: false,
  summary: 'Where the account is signed in, most recently used first',
  response: { 200: listOf(AccountSession) },
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/{sessionId}',
  audit: 'user.session_ended',
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  summary: 'Sign one session out',
  params: z.object({ sessionId: IdParam.describe('Which session.') }),
  response: { 204: undefined },
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out-everywhere',
  audit: 'user.signed_out_everywhere',
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  summary: 'End every session, this one too unless it is excepted; the API key goes on',
  query: z.object({
    except: z.enum(['current']).optional().describe('`current` leaves the session that asks.'),
  }),
  response: { 204: undefined },
});
