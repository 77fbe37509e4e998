import { z } from 'zod';
import { SignedIn, TimeZone, TwoFactorRequired } from './accounts.ts';
import { endpoint, ofOneself } from './endpoint.ts';
import { listOf, Timestamp } from './page.ts';

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
  state: z.string().min(1).max(200).describe('As the provider gave it back.'),
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

const IdentityId = z.string().min(1).max(64);

export const LinkedIdentity = z.object({
  id: IdentityId.describe('Stands for its provider: a person has one identity at each.'),
  issuer: z.string().describe('The address by which the identity provider names itself.'),
  label: z
    .string()
    .nullable()
    .describe('The name of the provider, as its button has it; null for one that is not set up here any more.'),
  signs_in: z
    .boolean()
    .describe('Whether the person can sign in with it: the provider is the one that is set up here.'),
  linked_at: Timestamp.describe('Of the first sign-in there.'),
});
export type LinkedIdentity = z.infer<typeof LinkedIdentity>;

export const listIdentities = endpoint({
  ...ofOneself,
  method: 'GET',
  path: '/api/user/identities',
  permission: 'self:read',
  summary: 'The identities at identity providers that are linked to the person, the newest first',
  response: { 200: listOf(LinkedIdentity) },
});

export const unlinkIdentity = endpoint({
  ...ofOneself,
  method: 'DELETE',
  path: '/api/user/identities/{identityId}',
  audit: 'user.identity_unlinked',
  confirmsIdentity: true,
  summary:
    'Unlink an identity; refused where nothing else signs the person in. A later sign-in there links it anew while it has ' +
    'the same verified address',
  params: z.object({ identityId: IdentityId.describe('Of the list of identities.') }),
  response: { 204: undefined },
  errors: ['last_way_in'],
});
