import { z } from 'zod';
import { SignedIn, TimeZone, TwoFactorRequired } from './accounts.ts';
import { endpoint, ofOneself } from './endpoint.ts';
import { Timestamp } from './page.ts';

export const SignInOptions = z.object({
  sign_up: z
    .enum(['open', 'invited', 'closed'])
    .describe('Who may sign up: anybody, only who is invited, or nobody new.'),
  oidc: z
    .object({ label: z.string().describe('The name of the identity provider, as its button has it.') })
    .nullable()
    .describe('Sign-in by OpenID Connect; null where the operator has not set it up.'),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

const Redirect = z.object({
  url: z.string().describe('Of the identity provider, for the browser; it comes back to `/login/callback`.'),
});

/** Put by the provider into the address that the browser comes back to. */
export const OidcAnswer = z.object({
  code: z.string().min(1).max(4096).describe('From the address, as the next two.'),
  state: z.string().min(1).max(200),
  iss: z.string().max(1024).optional().describe('Where the provider names itself.'),
});
export type OidcAnswer = z.infer<typeof OidcAnswer>;

export const OidcSignIn = OidcAnswer.extend({
  timezone: TimeZone.optional().describe('Of somebody new.'),
  invitation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The token of an invitation: somebody new joins its account in place of one of their own.'),
});
export type OidcSignIn = z.infer<typeof OidcSignIn>;

const refusals = ['oidc_refused', 'oidc_unavailable', 'oidc_off'] as const;

export const getSignInOptions = endpoint({
  method: 'GET',
  path: '/api/auth/options',
  callers: 'anyone',
  summary: 'The ways of signing in that this server has beside password and passkey',
  response: { 200: SignInOptions },
});

export const beginOidc = endpoint({
  method: 'POST',
  path: '/api/auth/login/oidc',
  audit: { act: 'user.oidc_begun', row: 'none', because: 'Nothing counts before the provider answers.' },
  callers: 'anyone',
  summary: 'Begin to sign in by OpenID Connect; a cookie binds the answer to this browser for ten minutes',
  response: { 200: Redirect },
  errors: ['oidc_unavailable', 'oidc_off'],
});

export const signInWithOidc = endpoint({
  method: 'POST',
  path: '/api/auth/login/oidc/callback',
  audit: { act: 'user.signed_in_with_oidc', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Sign in with what the identity provider answered; who has a second factor is answered a challenge for it',
  body: OidcSignIn,
  response: { 200: z.union([SignedIn, TwoFactorRequired]) },
  errors: [
    ...refusals,
    'other_cell',
    'email_not_verified',
    'email_not_allowed',
    'other_identity',
    'other_address',
    'sign_up_closed',
    'invitation_expired',
    'already_member',
  ],
});

export const beginOidcConfirmation = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/auth/confirm/oidc',
  audit: { act: 'user.oidc_begun', row: 'none', because: 'Nothing counts before the provider answers.' },
  summary: 'Begin to show again at the identity provider who is signed in; not where a second factor is set up',
  response: { 200: Redirect },
  errors: ['oidc_unavailable', 'oidc_off'],
});

export const confirmWithOidc = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/auth/confirm/oidc/callback',
  audit: { act: 'user.identity_confirmed', row: 'none', because: 'Changes nothing of an account.' },
  summary: 'Show who is signed in with what the identity provider answered; it has to have asked anew',
  body: OidcAnswer,
  response: { 200: z.object({ confirmed_until: Timestamp.describe('Sensitive acts ask again after it.') }) },
  errors: [...refusals, 'other_identity'],
});
